(** Theorem 1, optimistic half: above all rewards the baseline makes pi* an attractor,
    for every stepsize up to sum_a 1/(b - r(a)), whatever the policy.

    With D_c = 1 - x_c = u + |zeta_c| pi(c) and u = 1 - alpha |kappa| >= 0:
    e^x <= 1/D, and 1/D >= 2 - D bounds the sum of pi/D = (1 - u/D)/|zeta| by 1. *)

From AltPG Require Export Divergence.

(** e^y <= 1/(1 - y) for y < 1, and < unless y = 0: this is e^(-y) >= 1 - y upside down. *)
Lemma exp_le_inverse (y : R) : y < 1 -> exp y <= / (1 - y).
Proof.
  intro small; assert (tangent := exp_ineq1_le (- y)).
  rewrite <- (Ropp_involutive y) at 1; rewrite exp_Ropp; apply Rinv_le_contravar; lra.
Qed.

Lemma exp_lt_inverse (y : R) : y < 1 -> y <> 0 -> exp y < / (1 - y).
Proof.
  intros small not_0; assert (tangent := exp_ineq1 (- y) ltac:(lra)).
  rewrite <- (Ropp_involutive y) at 1; rewrite exp_Ropp; apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra.
Qed.

(** 1/d >= 2 - d for d > 0. *)
Lemma inverse_ge_tangent (d : R) : 0 < d -> 2 - d <= / d.
Proof.
  intro positive; apply (Rmult_le_reg_l d); [exact positive|]; rewrite Rinv_r by lra.
  assert (square := Rle_0_sqr (d - 1)); unfold Rsqr in square; lra.
Qed.

(** The sum of pi/D, with size = |zeta| and (1 - u) sum_c 1/size(c) = 1. *)
Lemma inverse_sum_le_1 {k} (pi size : action k -> R) (u : R) : interior pi -> (forall c, 0 < size c) ->
  0 <= u -> (1 - u) * (∑ c, / size c) = 1 -> ∑ c, (pi c * / (u + size c * pi c)) <= 1.
Proof.
  intros inside positive u_nonnegative relation.
  apply Rle_trans with (∑ c, (/ size c * (1 - u) * (1 - u) + u * pi c)).
  - apply sum_le; intro c; assert (size_c := positive c); assert (pi_c := proj1 inside c).
    assert (D_positive : 0 < u + size c * pi c) by nra.
    replace (pi c * / (u + size c * pi c)) with (/ size c * (1 - u * / (u + size c * pi c))) by (field; lra).
    replace (/ size c * (1 - u) * (1 - u) + u * pi c) with (/ size c * (1 - u * (2 - (u + size c * pi c)))) by (field; lra).
    apply Rmult_le_compat_l; [apply Rlt_le, Rinv_0_lt_compat, size_c|].
    assert (tangent := inverse_ge_tangent _ D_positive); nra.
  - rewrite sum_plus, sum_scale, (proj2 inside).
    rewrite (sum_ext _ (fun c => (1 - u) * (1 - u) * / size c)) by (intro; ring); rewrite sum_scale.
    replace ((1 - u) * (1 - u) * ∑ c, / size c) with ((1 - u) * ((1 - u) * ∑ c, / size c)) by ring.
    rewrite relation; lra.
Qed.

(** sum_c pi(c) e^(x_c) < 1. *)
Lemma optimistic_decay {k} (alpha b : R) (r pi : action k -> R) : 0 < alpha -> optimistic r b ->
  alpha <= ∑ a, / (b - r a) -> interior pi -> ~ pi == pi_star r b ->
  ∑ c, (pi c * exp (centred pi (zeta alpha r b) c)) < 1.
Proof.
  intros positive above stepsize inside away.
  assert (arms := policy_arms pi (interior_policy pi inside)).
  pose (size := fun c => - zeta alpha r b c); pose (u := 1 + harmonic (zeta alpha r b)).
  assert (size_positive : forall c, 0 < size c).
  { intro c; specialize (above c); unfold size, zeta; nra. }
  pose (S := ∑ a, / (b - r a)); fold S in stepsize.
  assert (S_positive : 0 < S) by lra.
  assert (inverses : ∑ c, / size c = S / alpha).
  { unfold S; rewrite <- sum_divide; apply sum_ext; intro c; specialize (above c); unfold size, zeta; field; lra. }
  assert (u_is : u = 1 - alpha / S).
  { unfold u, harmonic; rewrite (sum_ext _ (fun c => -1 * / size c)), sum_scale, inverses; [field; lra|].
    intro c; specialize (size_positive c); unfold size in *; field; lra. }
  assert (u_nonnegative : 0 <= u).
  { rewrite u_is; enough (alpha / S <= 1) by lra.
    apply (Rmult_le_reg_r S); [exact S_positive|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (D_is : forall c, 1 - centred pi (zeta alpha r b) c = u + size c * pi c).
  { intro c; unfold centred, u, size; ring. }
  assert (below_1 : forall c, centred pi (zeta alpha r b) c < 1).
  { intro c; specialize (D_is c).
    assert (0 < size c * pi c) by (apply Rmult_lt_0_compat; [apply size_positive | apply inside]); lra. }
  apply Rlt_le_trans with (∑ c, pi c * / (1 - centred pi (zeta alpha r b) c)).
  - apply sum_lt.
    + intro c; apply Rmult_le_compat_l; [apply Rlt_le, inside | apply exp_le_inverse, below_1].
    + destruct (differ _ _ away) as [a apart]; exists a.
      apply Rmult_lt_compat_l; [apply inside | apply exp_lt_inverse; [apply below_1|]].
      rewrite (centred_distance alpha b r pi positive (or_intror above)); specialize (size_positive a); unfold size in size_positive.
      apply Rmult_integral_contrapositive_currified; lra.
  - rewrite (sum_ext _ (fun c => pi c * / (u + size c * pi c))) by (intro c; now rewrite D_is).
    apply inverse_sum_le_1; auto; rewrite u_is, inverses; field; lra.
Qed.

(** b > r(a) for all actions, 0 < alpha <= sum_a 1/(b - r(a)), pi_t not pi*: D_KL(pi* || pi_{t+1}) < D_KL(pi* || pi_t). *)
Theorem optimistic_attracts {k} (alpha b : R) (r theta : action k -> R) : 0 < alpha ->
  optimistic r b -> alpha <= ∑ a, / (b - r a) -> ~ softmax theta == pi_star r b ->
  KL (pi_star r b) (softmax (expected_step alpha r b theta)) < KL (pi_star r b) (softmax theta).
Proof.
  intros positive above stepsize away; destruct (differ _ _ away) as [a _]; assert (inside := softmax_interior theta (some_arm a)).
  rewrite (KL_ext _ _ _ (next_policy alpha b r theta)), KL_relation by auto.
  enough (ln (step_norm (softmax theta) (zeta alpha r b)) - harmonic (zeta alpha r b) < 0) by lra.
  rewrite log_norm_centred, <- ln_1 by assumption.
  apply ln_increasing; [|now apply optimistic_decay].
  apply sum_positive; [exact (some_arm a) | intro c; apply Rmult_lt_0_compat; [apply inside | apply exp_pos]].
Qed.

(** The paper's form: for a sufficiently small positive stepsize. *)
Corollary optimistic_attracts_small_stepsize {k} (b : R) (r theta : action k -> R) :
  optimistic r b -> ~ softmax theta == pi_star r b ->
  exists bound, 0 < bound /\ forall alpha, 0 < alpha <= bound ->
  KL (pi_star r b) (softmax (expected_step alpha r b theta)) < KL (pi_star r b) (softmax theta).
Proof.
  intros above away; exists (∑ a, / (b - r a)); split.
  - destruct (differ _ _ away) as [a _]; apply sum_positive; [exact (some_arm a)|].
    intro c; specialize (above c); apply Rinv_0_lt_compat; lra.
  - intros alpha [positive stepsize]; now apply optimistic_attracts.
Qed.
