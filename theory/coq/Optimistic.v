(** Theorem 1, optimistic half: above all rewards the baseline makes pi* an attractor,
    for every stepsize up to sum_a 1/(b - r(a)), whatever the policy; with the least amount by which the divergence falls.

    With size = |zeta|, u = 1 - alpha |kappa| >= 0 and D_c = 1 - x_c = u + size(c) pi(c): e^x <= 1/(D + x^2/4), and what
    the sum of pi/(D + x^2/4) falls short of 1 is at least the sum of x^2/(size (2 + size)^2). *)

From AltPG Require Export Divergence.

(** e^s >= (1 + s/2)^2 for s >= -2. *)
Lemma exp_ge_square (s : R) : -2 <= s -> 1 + s + s² / 4 <= exp s.
Proof.
  intro above; assert (tangent := exp_ineq1_le (s / 2)).
  replace (exp s) with (exp (s / 2) * exp (s / 2)) by (rewrite <- exp_plus; f_equal; field).
  apply Rle_trans with ((1 + s / 2) * (1 + s / 2)); [unfold Rsqr; right; field | apply Rmult_le_compat; lra].
Qed.

(** e^x <= 1/(1 - x + x^2/4) for x < 1: the same upside down. *)
Lemma exp_le_inverse (x : R) : x < 1 -> exp x <= / (1 - x + x² / 4).
Proof.
  intro small; assert (bound := exp_ge_square (- x) ltac:(lra)); assert (square := Rle_0_sqr x).
  rewrite <- Rsqr_neg in bound; rewrite <- (Ropp_involutive x) at 1; rewrite exp_Ropp; apply Rinv_le_contravar; lra.
Qed.

(** One action's share: p/(D + x^2/4) + x^2/(size (2 + size)^2) <= (1 - 2u + uD)/size, with D = u + size p and x = 1 - D. *)
Lemma share (p size u : R) : 0 < p <= 1 -> 0 < size -> 0 <= u <= 1 -> 1 - (u + size * p) <= size ->
  p * / (u + size * p + (1 - (u + size * p))² / 4) + (1 - (u + size * p))² / (size * (2 + size)²)
  <= (1 - 2 * u + u * (u + size * p)) / size.
Proof.
  intros [p_positive p_small] positive [u_nonnegative u_small] x_small.
  set (D := u + size * p) in *; assert (square := Rle_0_sqr (1 - D)); set (x2 := (1 - D)²) in *.
  assert (grown : 0 < size * p) by now apply Rmult_lt_0_compat.
  assert (D_positive : 0 < D) by (unfold D; lra).
  assert (D_small : D <= 1 + size) by (unfold D; nra).
  assert (M_small : 4 * D + x2 <= (2 + size)²) by (unfold x2, Rsqr; nra).
  assert (M_positive : 0 < (2 + size)²) by (apply Rlt_0_sqr; lra).
  replace ((1 - 2 * u + u * D) / size) with (p * / D + u * x2 / (size * D)).
  2: { unfold x2, Rsqr; replace p with ((D - u) / size) by (unfold D; field; lra); field; lra. }
  replace (p * / (D + x2 / 4)) with (p * / D - x2 / D * (p * / (4 * D + x2))) by (field; lra).
  replace (x2 / (size * (2 + size)²)) with (x2 / D * (p * / (2 + size)² + u / size * / (2 + size)²)) by (unfold D; field; fold D; lra).
  replace (u * x2 / (size * D)) with (x2 / D * (u / size)) by (field; lra).
  assert (weight : 0 <= x2 / D) by (apply Rmult_le_pos; [exact square | apply Rlt_le, Rinv_0_lt_compat, D_positive]).
  enough (bracket : p * / (2 + size)² + u / size * / (2 + size)² <= p * / (4 * D + x2) + u / size).
  { apply (Rmult_le_compat_l (x2 / D)) in bracket; [lra | exact weight]. }
  apply Rplus_le_compat.
  - apply Rmult_le_compat_l; [lra | apply Rinv_le_contravar; lra].
  - rewrite <- (Rmult_1_r (u / size)) at 2; apply Rmult_le_compat_l.
    + apply Rmult_le_pos; [exact u_nonnegative | apply Rlt_le, Rinv_0_lt_compat, positive].
    + rewrite <- Rinv_1; apply Rinv_le_contravar; unfold Rsqr; nra.
Qed.

(** All shares: the right sides add up to 1, because (1 - u) sum_c 1/size(c) = 1. *)
Lemma shares {k} (pi size : action k -> R) (u : R) : interior_policy pi -> (1 - u) * (∑ c, / size c) = 1 ->
  (forall c, 0 < size c) -> ∑ c, (1 - 2 * u + u * (u + size c * pi c)) / size c = 1.
Proof.
  intros inside relation positive.
  rewrite (sum_ext _ (fun c => (1 - u) * (1 - u) * / size c + u * pi c)).
  - rewrite sum_plus, !sum_scale, (proj2 inside), Rmult_assoc, relation; ring.
  - intro c; specialize (positive c); field; lra.
Qed.

(** The least amount by which the divergence falls: sum_c z_c (pi(c) - pi*(c))^2 / (2 + z_c)^2 with z_c = alpha (b - r(c)). *)
Definition fall {k} (alpha b : R) (r pi : action k -> R) : R :=
  ∑ c, alpha * (b - r c) * (pi c - pi_star r b c)² / (2 + alpha * (b - r c))².

Lemma fall_positive {k} (alpha b : R) (r pi : action k -> R) : 0 < alpha -> optimistic r b ->
  ~ pi == pi_star r b -> 0 < fall alpha b r pi.
Proof.
  intros positive above away; destruct (differ _ _ away) as [a apart].
  assert (size_positive : forall c, 0 < alpha * (b - r c)) by (intro c; specialize (above c); apply Rmult_lt_0_compat; lra).
  assert (width : forall c, 0 < / (2 + alpha * (b - r c))²).
  { intro c; specialize (size_positive c); apply Rinv_0_lt_compat, Rlt_0_sqr; lra. }
  apply Rlt_le_trans with (alpha * (b - r a) * (pi a - pi_star r b a)² / (2 + alpha * (b - r a))²).
  - apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [apply size_positive | apply Rlt_0_sqr; lra] | apply width].
  - apply (term_le_sum (fun c => alpha * (b - r c) * (pi c - pi_star r b c)² / (2 + alpha * (b - r c))²)); intro c.
    apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rlt_le, size_positive | apply Rle_0_sqr] | apply Rlt_le, width].
Qed.

(** sum_c pi(c) e^(x_c) <= 1 - fall. *)
Lemma optimistic_decay {k} (alpha b : R) (r pi : action k -> R) : 0 < alpha -> optimistic r b ->
  alpha <= ∑ a, / (b - r a) -> interior_policy pi ->
  ∑ c, pi c * exp (centred pi (zeta alpha r b) c) <= 1 - fall alpha b r pi.
Proof.
  intros positive above stepsize inside; assert (side : pessimistic r b \/ optimistic r b) by now right.
  assert (arms := policy_arms pi (interior_is_policy pi inside)); assert (star := pi_star_interior r b arms side).
  pose (size := fun c => alpha * (b - r c)); pose (S := ∑ a, / (b - r a)); pose (u := 1 - alpha / S); fold S in stepsize.
  assert (size_positive : forall c, 0 < size c) by (intro c; specialize (above c); apply Rmult_lt_0_compat; lra).
  assert (u_bounds : 0 <= u <= 1).
  { enough (0 <= alpha / S <= 1) by (unfold u; lra); split.
    - apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra].
    - apply (Rmult_le_reg_r S); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (inverses : ∑ c, / size c = S / alpha).
  { unfold S; rewrite <- sum_divide; apply sum_ext; intro c; specialize (above c); unfold size; field; lra. }
  assert (u_is : u = 1 + harmonic (zeta alpha r b)).
  { unfold u, harmonic; rewrite (sum_ext (fun c => / zeta alpha r b c) (fun c => -1 * / size c)), sum_scale, inverses; [field; lra|].
    intro c; specialize (above c); unfold size, zeta; field; lra. }
  assert (x_is : forall c, centred pi (zeta alpha r b) c = 1 - (u + size c * pi c)).
  { intro c; rewrite u_is; unfold centred, size, zeta; ring. }
  assert (distance : forall c, 1 - (u + size c * pi c) = - size c * (pi c - pi_star r b c)).
  { intro c; rewrite <- x_is, centred_distance by assumption; unfold size, zeta; ring. }
  rewrite <- (shares pi size u inside) by (exact size_positive || rewrite inverses; unfold u; field; lra).
  unfold fall; rewrite <- sum_minus; apply sum_le; intro c.
  assert (size_c := size_positive c); assert (pi_c := proj1 inside c); assert (star_c := proj1 star c).
  assert (pi_small := probability_le_1 pi c (interior_is_policy pi inside)).
  assert (star_small := probability_le_1 _ c (interior_is_policy _ star)).
  assert (below_1 : 1 - (u + size c * pi c) < 1) by (assert (0 < size c * pi c) by (now apply Rmult_lt_0_compat); lra).
  assert (x_small : 1 - (u + size c * pi c) <= size c) by (rewrite distance; nra).
  assert (one := share (pi c) (size c) u (conj pi_c pi_small) size_c u_bounds x_small).
  assert (part : alpha * (b - r c) * (pi c - pi_star r b c)² / (2 + alpha * (b - r c))²
                 = (1 - (u + size c * pi c))² / (size c * (2 + size c)²)).
  { rewrite distance; unfold Rsqr; fold (size c); field; split; [lra | nra]. }
  rewrite x_is, part.
  assert (bound := exp_le_inverse _ below_1); apply (Rmult_le_compat_l (pi c)) in bound; [|lra].
  replace (1 - (1 - (u + size c * pi c))) with (u + size c * pi c) in bound by ring; lra.
Qed.

(** b > r(a) for all actions and 0 < alpha <= sum_a 1/(b - r(a)): how much closer to pi* a step comes at least. *)
Theorem optimistic_descent {k} (alpha b : R) (r theta : action k -> R) : (0 < k)%nat -> 0 < alpha ->
  optimistic r b -> alpha <= ∑ a, / (b - r a) ->
  KL (pi_star r b) (softmax (expected_step alpha r b theta))
  <= KL (pi_star r b) (softmax theta) - fall alpha b r (softmax theta).
Proof.
  intros arms positive above stepsize; assert (inside := softmax_interior theta arms).
  rewrite (KL_ext _ _ _ (next_policy alpha b r theta)), KL_relation by auto.
  enough (ln (step_norm (softmax theta) (zeta alpha r b)) - harmonic (zeta alpha r b) <= - fall alpha b r (softmax theta)) by lra.
  rewrite log_norm_centred by assumption.
  assert (decay := optimistic_decay alpha b r (softmax theta) positive above stepsize inside).
  set (sum_exp := ∑ c, softmax theta c * exp (centred (softmax theta) (zeta alpha r b) c)) in *.
  assert (sum_positive : 0 < sum_exp).
  { apply sum_positive; [exact arms | intro c; apply Rmult_lt_0_compat; [apply inside | apply exp_pos]]. }
  assert (tangent := exp_ineq1_le (ln sum_exp)); rewrite exp_ln in tangent by assumption; lra.
Qed.

(** b > r(a) for all actions, 0 < alpha <= sum_a 1/(b - r(a)), pi_t not pi*: D_KL(pi* || pi_{t+1}) < D_KL(pi* || pi_t). *)
Theorem optimistic_attracts {k} (alpha b : R) (r theta : action k -> R) : 0 < alpha ->
  optimistic r b -> alpha <= ∑ a, / (b - r a) -> ~ softmax theta == pi_star r b ->
  KL (pi_star r b) (softmax (expected_step alpha r b theta)) < KL (pi_star r b) (softmax theta).
Proof.
  intros positive above stepsize away; destruct (differ _ _ away) as [a _].
  assert (descent := optimistic_descent alpha b r theta (some_arm a) positive above stepsize).
  assert (falls := fall_positive alpha b r (softmax theta) positive above away); lra.
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
