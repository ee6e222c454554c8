(** The paper's own route to the optimistic half of theorem 1: Hoeffding's lemma and a stepsize bound that depends on the policy. *)

From AltPG Require Export Jensen Hoeffding.

Section Bound.
  Context {k : nat} (b : R) (r pi : action k -> R).
  Hypothesis inside : interior_policy pi.
  Hypothesis above : optimistic r b.

  (** Whenever l <= pi(c) zeta(c) <= u: log (sum_c pi(c) e^(pi(c) zeta(c))) <= (u - l)^2/8 + sum_c pi(c)^2 zeta(c). *)
  Theorem log_term_upper_bound (z : action k -> R) (l u : R) : (forall c, l <= pi c * z c <= u) ->
    ln (step_norm pi z) <= (u - l)² / 8 + ∑ c, (pi c * (pi c * z c)).
  Proof.
    intro bounded; pose (E := finite_law pi (fun c => c) (proj2 inside)).
    assert (grows : monotone E) by (apply finite_law_monotone; intro; apply Rlt_le, inside).
    assert (bound := hoeffding E (fun c => pi c * z c) l u grows I I bounded).
    change (step_norm pi z <= exp ((u - l)² / 8 + ∑ c, (pi c * (pi c * z c)))) in bound.
    assert (norm := step_norm_positive pi z inside).
    rewrite <- (ln_exp (_ + _)); destruct bound as [less| ->]; [apply Rlt_le, ln_increasing; assumption | apply Rle_refl].
  Qed.

  (** Eq. condition_alpha: an upper bound on the log term below (sum_c 1/zeta(c))^-1 makes the divergence fall. *)
  Theorem descent_under_condition (alpha bound : R) : 0 < alpha ->
    ln (step_norm pi (zeta alpha r b)) <= bound -> bound < / (∑ c, / zeta alpha r b c) ->
    KL (pi_star r b) (next pi (zeta alpha r b)) < KL (pi_star r b) pi.
  Proof.
    intros positive at_most condition; rewrite KL_relation by auto; unfold harmonic; lra.
  Qed.

  (** Eq. upper_bound_alpha: with L <= pi(c) (r(c) - b) <= U, as min and max are,
      alpha < 8/(U - L)^2 [kappa - sum_c pi(c)^2 (r(c) - b)] satisfies the condition. *)
  Theorem stepsize_bound (alpha L U : R) : 0 < alpha -> L < U ->
    alpha < 8 / (U - L)² * (kappa r b - ∑ c, (pi c * (pi c * (r c - b)))) ->
    (alpha * U - alpha * L)² / 8 + ∑ c, (pi c * (pi c * zeta alpha r b c)) < / (∑ c, / zeta alpha r b c).
  Proof.
    intros positive apart small; assert (arms := policy_arms pi (interior_is_policy pi inside)).
    fold (harmonic (zeta alpha r b)); rewrite harmonic_zeta by auto.
    rewrite (sum_ext _ (fun c => alpha * (pi c * (pi c * (r c - b))))), sum_scale by (intro; unfold zeta; ring).
    set (moment := ∑ c, (pi c * (pi c * (r c - b)))) in *.
    assert (width : 0 < (U - L)²) by (apply Rlt_0_sqr; lra).
    apply (Rmult_lt_compat_r ((U - L)² / 8 * alpha)) in small; [|apply Rmult_lt_0_compat; lra].
    replace (8 / (U - L)² * (kappa r b - moment) * ((U - L)² / 8 * alpha))
      with (alpha * kappa r b - alpha * moment) in small by (field; lra).
    replace ((alpha * U - alpha * L)² / 8) with (alpha * ((U - L)² / 8 * alpha)) by (unfold Rsqr; field); lra.
  Qed.

  Hypothesis away : ~ pi == pi_star r b.

  (** There is such a stepsize. *)
  Theorem stepsize_exists (L U : R) : L < U -> exists alpha, 0 < alpha
    /\ (alpha * U - alpha * L)² / 8 + ∑ c, (pi c * (pi c * zeta alpha r b c)) < / (∑ c, / zeta alpha r b c).
  Proof.
    intro apart; pose (top := 8 / (U - L)² * (kappa r b - ∑ c, (pi c * (pi c * (r c - b))))).
    assert (top_positive : 0 < top).
    { assert (arms := policy_arms pi (interior_is_policy pi inside)).
      assert (moment := second_moment_below_harmonic 1 b r pi Rlt_0_1 inside away above).
      fold (harmonic (zeta 1 r b)) in moment; rewrite harmonic_zeta in moment by (auto using Rlt_0_1).
      rewrite (sum_ext _ (fun c => pi c * (pi c * (r c - b)))) in moment by (intro; unfold zeta; ring).
      apply Rmult_lt_0_compat; [|lra]; apply Rdiv_lt_0_compat; [lra | apply Rlt_0_sqr; lra]. }
    exists (top / 2); split; [lra|]; apply stepsize_bound; [lra | exact apart | fold top; lra].
  Qed.

  (** The optimistic half with the paper's bound. *)
  Theorem optimistic_attracts_paper_bound (alpha L U : R) : 0 < alpha -> L < U ->
    (forall c, L <= pi c * (r c - b) <= U) ->
    alpha < 8 / (U - L)² * (kappa r b - ∑ c, (pi c * (pi c * (r c - b)))) ->
    KL (pi_star r b) (next pi (zeta alpha r b)) < KL (pi_star r b) pi.
  Proof.
    intros positive apart bounded small.
    apply descent_under_condition with ((alpha * U - alpha * L)² / 8 + ∑ c, (pi c * (pi c * zeta alpha r b c))); [exact positive| |].
    - apply log_term_upper_bound; intro c; specialize (bounded c); unfold zeta.
      replace (pi c * (alpha * (r c - b))) with (alpha * (pi c * (r c - b))) by ring.
      split; apply Rmult_le_compat_l; lra.
    - now apply stepsize_bound.
  Qed.
End Bound.
