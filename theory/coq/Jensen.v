(** The paper's own steps towards the pessimistic half of theorem 1: Cauchy-Schwarz, then Jensen's inequality. *)

From AltPG Require Export Divergence.

Section Steps.
  Context {k : nat} (alpha b : R) (r pi : action k -> R).
  Hypothesis positive : 0 < alpha.
  Hypothesis inside : interior_policy pi.
  Hypothesis away : ~ pi == pi_star r b.

  Local Notation z := (zeta alpha r b).

  (** sum_c pi(c)^2 zeta(c) - H = sum_c zeta(c) (pi(c) - pi*(c))^2. *)
  Lemma second_moment_distance : pessimistic r b \/ optimistic r b ->
    ∑ c, (pi c * (pi c * z c)) - harmonic z = ∑ c, (z c * (pi c - pi_star r b c)²).
  Proof.
    intro side; rewrite <- (sum_of_squares alpha b r pi positive side inside).
    rewrite <- (weighted_constant pi (harmonic z)), <- sum_minus by apply inside.
    apply sum_ext; intro c; unfold centred; ring.
  Qed.

  (** sum_c pi(c)^2 zeta(c) > (sum_c 1/zeta(c))^-1. *)
  Theorem second_moment_exceeds_harmonic : pessimistic r b -> ∑ c, (pi c * (pi c * z c)) > / (∑ c, / z c).
  Proof.
    intro below; enough (more : 0 < ∑ c, (z c * (pi c - pi_star r b c)²)).
    { rewrite <- second_moment_distance in more by auto; unfold harmonic in more; lra. }
    assert (z_positive : forall c, 0 < z c) by (intro c; specialize (below c); apply Rmult_lt_0_compat; lra).
    destruct (differ _ _ away) as [a apart].
    apply Rlt_le_trans with (z a * (pi a - pi_star r b a)²).
    - apply Rmult_lt_0_compat; [apply z_positive | apply Rlt_0_sqr; lra].
    - apply (term_le_sum (fun c => z c * (pi c - pi_star r b c)²)); intro c.
      apply Rmult_le_pos; [apply Rlt_le, z_positive | apply Rle_0_sqr].
  Qed.

  (** The optimistic counterpart: sum_c pi(c)^2 zeta(c) < (sum_c 1/zeta(c))^-1. *)
  Theorem second_moment_below_harmonic : optimistic r b -> ∑ c, (pi c * (pi c * z c)) < / (∑ c, / z c).
  Proof.
    intro above; enough (less : ∑ c, (z c * (pi c - pi_star r b c)²) < sum (fun _ : action k => 0)).
    { rewrite <- second_moment_distance, sum_constant in less by auto; unfold harmonic in less; lra. }
    assert (z_negative : forall c, z c < 0) by (intro c; specialize (above c); unfold zeta; nra).
    apply sum_lt.
    - intro c; assert (square := Rle_0_sqr (pi c - pi_star r b c)); specialize (z_negative c); nra.
    - destruct (differ _ _ away) as [a apart]; exists a.
      assert (square := Rlt_0_sqr (pi a - pi_star r b a) ltac:(lra)); specialize (z_negative a); nra.
  Qed.

  (** Cauchy-Schwarz as printed: the square on its right is 1. *)
  Theorem cauchy_schwarz_pessimistic : pessimistic r b ->
    (∑ c, (pi c * (pi c * z c))) * (∑ c, / z c) > (∑ c, (pi c * sqrt (z c) * / sqrt (z c)))²
    /\ (∑ c, (pi c * sqrt (z c) * / sqrt (z c)))² = 1.
  Proof.
    intro below; assert (z_positive : forall c, 0 < z c) by (intro c; specialize (below c); apply Rmult_lt_0_compat; lra).
    assert (square : (∑ c, (pi c * sqrt (z c) * / sqrt (z c)))² = 1).
    { rewrite (sum_ext _ pi), (proj2 inside); [unfold Rsqr; ring|].
      intro c; assert (root := sqrt_lt_R0 _ (z_positive c)); field; lra. }
    split; [rewrite square | exact square].
    assert (exceeds := second_moment_exceeds_harmonic below).
    assert (inverses : 0 < ∑ c, / z c).
    { apply sum_positive; [apply (policy_arms pi), interior_is_policy, inside | intro; apply Rinv_0_lt_compat, z_positive]. }
    apply (Rmult_lt_compat_r (∑ c, / z c)) in exceeds; [|exact inverses].
    rewrite Rinv_l in exceeds by lra; exact exceeds.
  Qed.

  (** If pi(a) zeta(a) were the same for all actions, pi would be pi*. *)
  Theorem constant_product_implies_fixed_point : pessimistic r b \/ optimistic r b ->
    ~ exists rho, forall a, pi a * z a = rho.
  Proof.
    intros side [rho same]; apply away.
    apply (case_3_unique r pi b (rho / alpha) side); [apply inside|].
    intro a; rewrite <- (same a); unfold zeta; field; lra.
  Qed.

  (** Jensen, strict: log (sum_c pi(c) e^(pi(c) zeta(c))) > sum_c pi(c) log e^(pi(c) zeta(c)) = sum_c pi(c)^2 zeta(c). *)
  Theorem jensen_step : pessimistic r b \/ optimistic r b ->
    ln (step_norm pi z) > ∑ c, (pi c * ln (exp (pi c * z c)))
    /\ ∑ c, (pi c * ln (exp (pi c * z c))) = ∑ c, (pi c * (pi c * z c)).
  Proof.
    intro side.
    assert (logarithms : ∑ c, (pi c * ln (exp (pi c * z c))) = ∑ c, (pi c * (pi c * z c))) by (apply sum_ext; intro; now rewrite ln_exp).
    split; [rewrite logarithms | exact logarithms].
    set (m := ∑ c, (pi c * (pi c * z c))).
    assert (not_constant : ~ (fun a => pi a * z a) == (fun _ => m)).
    { intro same; apply (constant_product_implies_fixed_point side); now exists m. }
    destruct (differ _ _ not_constant) as [a apart].
    apply exp_lt_inv; rewrite exp_ln by now apply step_norm_positive.
    apply (Rmult_lt_reg_l (exp (- m))); [apply exp_pos|].
    rewrite <- exp_plus, Rplus_opp_l, exp_0; unfold step_norm; rewrite <- sum_scale.
    apply Rle_lt_trans with (∑ c, (pi c * (1 + (pi c * z c - m)))).
    - rewrite (sum_ext _ (fun c => (pi c * 1 + pi c * (pi c * z c)) - pi c * m)) by (intro; ring).
      rewrite sum_minus, sum_plus, !weighted_constant by apply inside; fold m; lra.
    - assert (regroup : forall c, exp (- m) * (pi c * exp (pi c * z c)) = pi c * exp (pi c * z c - m)).
      { intro c; unfold Rminus; rewrite exp_plus; ring. }
      rewrite (sum_ext _ _ regroup); apply sum_lt.
      + intro c; apply Rmult_le_compat_l; [apply Rlt_le, inside | apply exp_ineq1_le].
      + exists a; apply Rmult_lt_compat_l; [apply inside | apply exp_ineq1; lra].
  Qed.

  (** log (sum_c pi(c) e^(pi(c) zeta(c))) > sum_c pi(c)^2 zeta(c) > (sum_c 1/zeta(c))^-1. *)
  Corollary log_term_exceeds_harmonic : pessimistic r b ->
    ln (step_norm pi z) > ∑ c, (pi c * (pi c * z c)) /\ ∑ c, (pi c * (pi c * z c)) > / (∑ c, / z c).
  Proof.
    intro below; destruct (jensen_step (or_introl below)) as [strict same]; rewrite same in strict.
    split; [exact strict | now apply second_moment_exceeds_harmonic].
  Qed.
End Steps.
