(** How one expected step changes the KL divergence from pi*: the identity that theorem 1 rests on. *)

From AltPG Require Export FixedPoints.

(** D_KL(p || q) = sum_a p(a) log (p(a) / q(a)). *)
Definition KL {k} (p q : action k -> R) : R := ∑ a, p a * ln (p a / q a).

(** H = (sum_c 1/z(c))^-1; for z = zeta it is alpha kappa. *)
Definition harmonic {k} (z : action k -> R) : R := / (∑ c, / z c).

(** x_c = pi(c) z(c) - H, the exponents of the step, centred. *)
Definition centred {k} (pi z : action k -> R) : action k -> R := fun c => pi c * z c - harmonic z.

Lemma KL_ext {k} (p q q' : action k -> R) : q == q' -> KL p q = KL p q'.
Proof. intro same; apply sum_ext; intro a; now rewrite same. Qed.

Lemma sum_inverse_zeta {k} (alpha b : R) (r : action k -> R) : ∑ c, / zeta alpha r b c = / alpha * (∑ c, / (r c - b)).
Proof. rewrite <- sum_scale; apply sum_ext; intro c; unfold zeta; apply Rinv_mult. Qed.

(** H is alpha kappa. *)
Lemma harmonic_zeta {k} (alpha b : R) (r : action k -> R) : (0 < k)%nat -> 0 < alpha ->
  pessimistic r b \/ optimistic r b -> harmonic (zeta alpha r b) = alpha * kappa r b.
Proof.
  intros arms positive side; destruct (inverse_sum_not_0 r b arms side) as [_ sum_not_0].
  unfold harmonic, kappa; rewrite sum_inverse_zeta; field; lra.
Qed.

(** pi*(a) zeta(a) = H for every action. *)
Lemma pi_star_zeta {k} (alpha b : R) (r : action k -> R) : 0 < alpha ->
  pessimistic r b \/ optimistic r b -> forall a, pi_star r b a * zeta alpha r b a = harmonic (zeta alpha r b).
Proof.
  intros positive side a; rewrite harmonic_zeta by (assumption || now apply some_arm).
  rewrite <- (update_at_pi_star r b side a); unfold expected_alternate, zeta; ring.
Qed.

(** The divergence after the step, its logarithm written out (first and second line of the paper's computation). *)
Lemma KL_next {k} (p pi z : action k -> R) : interior_policy p -> interior_policy pi ->
  KL p (next pi z) = KL p pi + ln (step_norm pi z) - ∑ a, p a * (pi a * z a).
Proof.
  intros inside_p inside; assert (norm := step_norm_positive pi z inside); unfold KL.
  rewrite <- (weighted_constant p (ln (step_norm pi z))) by apply inside_p.
  rewrite <- sum_plus, <- sum_minus; apply sum_ext; intro a.
  assert (p_positive := proj1 inside_p a); assert (pi_positive := proj1 inside a); assert (grown := exp_pos (pi a * z a)).
  replace (p a / next pi z a) with (p a / pi a * step_norm pi z * / exp (pi a * z a)) by (unfold next; field; lra).
  rewrite !ln_mult, ln_Rinv, ln_exp; try apply Rmult_lt_0_compat; try apply Rdiv_lt_0_compat; try apply Rinv_0_lt_compat; auto.
  ring.
Qed.

(** Eq. KL_relation: D_KL(pi* || pi_{t+1}) = D_KL(pi* || pi_t) + log Z - (sum_c 1/zeta(c))^-1. *)
Theorem KL_relation {k} (alpha b : R) (r pi : action k -> R) : 0 < alpha ->
  pessimistic r b \/ optimistic r b -> interior_policy pi ->
  KL (pi_star r b) (next pi (zeta alpha r b))
  = KL (pi_star r b) pi + ln (step_norm pi (zeta alpha r b)) - harmonic (zeta alpha r b).
Proof.
  intros positive side inside; assert (arms := policy_arms pi (interior_is_policy pi inside)).
  assert (star := pi_star_interior r b arms side); rewrite KL_next by assumption; f_equal.
  rewrite (sum_ext _ (fun a => pi a * harmonic (zeta alpha r b))).
  - apply weighted_constant, inside.
  - intro a; rewrite <- (pi_star_zeta alpha b r positive side a); ring.
Qed.

(** The same with the softmax policies themselves. *)
Corollary KL_step {k} (alpha b : R) (r theta : action k -> R) : (0 < k)%nat -> 0 < alpha ->
  pessimistic r b \/ optimistic r b ->
  KL (pi_star r b) (softmax (expected_step alpha r b theta))
  = KL (pi_star r b) (softmax theta)
    + ln (∑ c, softmax theta c * exp (softmax theta c * zeta alpha r b c)) - / (∑ c, / zeta alpha r b c).
Proof.
  intros arms positive side; rewrite (KL_ext _ _ _ (next_policy alpha b r theta)).
  now apply KL_relation; [| |apply softmax_interior].
Qed.

(** log Z - H = log sum_c pi(c) e^(x_c): the whole change of the divergence is one logarithm. *)
Lemma log_norm_centred {k} (pi z : action k -> R) : interior_policy pi ->
  ln (step_norm pi z) - harmonic z = ln (∑ c, pi c * exp (centred pi z c)).
Proof.
  intro inside; assert (norm := step_norm_positive pi z inside).
  rewrite (sum_ext _ (fun c => exp (- harmonic z) * (pi c * exp (pi c * z c)))).
  - rewrite sum_scale; fold (step_norm pi z); rewrite ln_mult, ln_exp; [ring | apply exp_pos | exact norm].
  - intro c; unfold centred, Rminus; rewrite exp_plus; ring.
Qed.

(** x_c = zeta_c (pi(c) - pi*(c)); it is zero exactly where the two policies agree. *)
Lemma centred_distance {k} (alpha b : R) (r pi : action k -> R) : 0 < alpha -> pessimistic r b \/ optimistic r b ->
  forall c, centred pi (zeta alpha r b) c = zeta alpha r b c * (pi c - pi_star r b c).
Proof. intros positive side c; unfold centred; rewrite <- (pi_star_zeta alpha b r positive side c); ring. Qed.

(** The mean of x is a sum of squares, which takes the place of Cauchy-Schwarz and is strict for free. *)
Theorem sum_of_squares {k} (alpha b : R) (r pi : action k -> R) : 0 < alpha ->
  pessimistic r b \/ optimistic r b -> interior_policy pi ->
  ∑ c, (pi c * centred pi (zeta alpha r b) c) = ∑ c, (zeta alpha r b c * (pi c - pi_star r b c)²).
Proof.
  intros positive side inside; assert (arms := policy_arms pi (interior_is_policy pi inside)).
  assert (star := pi_star_interior r b arms side).
  apply Rminus_diag_uniq; rewrite <- sum_minus.
  rewrite (sum_ext _ (fun c => pi c * harmonic (zeta alpha r b) - pi_star r b c * harmonic (zeta alpha r b))).
  - rewrite sum_minus, (weighted_constant pi), (weighted_constant (pi_star r b)); [ring | apply star | apply inside].
  - intro c; unfold centred, Rsqr; rewrite <- (pi_star_zeta alpha b r positive side c); ring.
Qed.
