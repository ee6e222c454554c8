(** Theorem 1, pessimistic half: below all rewards the baseline makes pi* a repeller, for every stepsize. *)

From AltPG Require Export Divergence.

(** sum_c pi(c) e^(x_c) >= 1 + sum_c zeta(c) (pi(c) - pi*(c))^2 > 1, by e^y >= 1 + y alone. *)
Lemma pessimistic_growth {k} (alpha b : R) (r pi : action k -> R) : 0 < alpha -> pessimistic r b ->
  interior_policy pi -> ~ pi == pi_star r b -> 1 < ∑ c, pi c * exp (centred pi (zeta alpha r b) c).
Proof.
  intros positive below inside away.
  assert (zeta_positive : forall c, 0 < zeta alpha r b c).
  { intro c; specialize (below c); apply Rmult_lt_0_compat; lra. }
  apply Rlt_le_trans with (1 + ∑ c, (zeta alpha r b c * (pi c - pi_star r b c)²)).
  - enough (0 < ∑ c, (zeta alpha r b c * (pi c - pi_star r b c)²)) by lra.
    destruct (differ _ _ away) as [a apart].
    apply Rlt_le_trans with (zeta alpha r b a * (pi a - pi_star r b a)²).
    + apply Rmult_lt_0_compat; [apply zeta_positive | apply Rlt_0_sqr; lra].
    + apply (term_le_sum (fun c => zeta alpha r b c * (pi c - pi_star r b c)²)); intro c.
      apply Rmult_le_pos; [apply Rlt_le, zeta_positive | apply Rle_0_sqr].
  - rewrite <- (sum_of_squares alpha b r pi positive (or_introl below) inside).
    rewrite <- (proj2 inside) at 1; rewrite <- sum_plus; apply sum_le; intro c.
    assert (tangent := exp_ineq1_le (centred pi (zeta alpha r b) c)); assert (probability := proj1 inside c); nra.
Qed.

(** b < r(a) for all actions, any alpha > 0, pi_t not pi*: D_KL(pi* || pi_{t+1}) > D_KL(pi* || pi_t). *)
Theorem pessimistic_repels {k} (alpha b : R) (r theta : action k -> R) : 0 < alpha ->
  pessimistic r b -> ~ softmax theta == pi_star r b ->
  KL (pi_star r b) (softmax (expected_step alpha r b theta)) > KL (pi_star r b) (softmax theta).
Proof.
  intros positive below away; destruct (differ _ _ away) as [a _]; assert (inside := softmax_interior theta (some_arm a)).
  rewrite (KL_ext _ _ _ (next_policy alpha b r theta)), KL_relation by auto.
  enough (0 < ln (step_norm (softmax theta) (zeta alpha r b)) - harmonic (zeta alpha r b)) by lra.
  rewrite log_norm_centred, <- ln_1 by assumption.
  apply ln_increasing; [lra | now apply pessimistic_growth].
Qed.
