(** The elementwise variance of the estimators, and what is left of it at a corner of the simplex. *)

From AltPG Require Export Estimators.

(** V[f] = E[f^2] - E[f]^2. *)
Definition variance {k} (pi : action k -> R) (law : action k -> expectation R) (f : action k -> R -> R) : R :=
  expect pi law (fun A R => f A R * f A R) - (expect pi law f)².

Section Variance.
  Context {k : nat} (law : action k -> expectation R) (r sigma2 : action k -> R) (b : R).
  Hypothesis rewards : mean_rewards law r.
  Hypothesis spread : noise law r sigma2.

  (** The second moment of (R - b) times a constant, given the action. *)
  Lemma second_moment (c : action k) (weight : R) :
    mean (law c) (fun R => (R - b) * weight * ((R - b) * weight)) = weight² * (sigma2 c + (r c - b)²).
  Proof.
    destruct (rewards c) as [known mean_is]; destruct (spread c) as [known_square square_is].
    assert (same : forall R, (weight² * (r c - b)² + - 2 * weight² * (r c - b) * r c)
                             + 2 * weight² * (r c - b) * R + weight² * (R - r c)²
                             = (R - b) * weight * ((R - b) * weight)) by (intro; unfold Rsqr; ring).
    rewrite <- (mean_same _ _ _ same), mean_plus, mean_affine, mean_scale, mean_is, square_is;
      auto using integrable_affine, integrable_scale.
    unfold Rsqr; ring.
  Qed.

  (** At any policy, for any eta. *)
  Theorem variance_of_estimate (pi eta : action k -> R) (a : action k) : ∑ c, pi c = 1 ->
    variance pi law (fun A R => estimate eta b A R a)
    = ∑ c, (pi c * ((one_hot c a - eta a)² * (sigma2 c + (r c - b)²))) - (pi a * (r a - b) - eta a * (value r pi - b))².
  Proof.
    intro total; unfold variance; rewrite (expected_update law r) by assumption; f_equal.
    apply sum_ext; intro c; unfold estimate; now rewrite second_moment.
  Qed.

  (** At the corner of c it is sigma(c)^2 (e_c - eta)^2. *)
  Theorem corner_variance (pi eta : action k -> R) (c a : action k) : policy pi -> pi c = 1 ->
    variance pi law (fun A R => estimate eta b A R a) = sigma2 c * (one_hot c a - eta a)².
  Proof.
    intros on_simplex at_c; assert (corner := corner_is_one_hot pi c on_simplex at_c).
    rewrite variance_of_estimate by apply on_simplex; unfold value.
    rewrite (sum_ext _ (fun j => one_hot c j * ((one_hot j a - eta a)² * (sigma2 j + (r j - b)²)))) by (intro; now rewrite corner).
    rewrite (sum_ext (fun j => pi j * r j) (fun j => one_hot c j * r j)) by (intro; now rewrite corner).
    rewrite !sum_one_hot, corner.
    replace (one_hot c a * (r a - b)) with (one_hot c a * (r c - b)); [unfold Rsqr; ring|].
    unfold one_hot; destruct (Fin.eq_dec c a) as [->|]; ring.
  Qed.

  (** sigma(c)^2 e_c for the alternate estimator, with any baseline. *)
  Corollary corner_alternate_variance (pi : action k -> R) (c a : action k) : policy pi -> pi c = 1 ->
    variance pi law (fun A R => alternate b A R a) = sigma2 c * one_hot c a.
  Proof.
    intros; unfold alternate; rewrite (corner_variance pi _ c) by assumption.
    rewrite <- (one_hot_square c a) at 2; unfold Rsqr; ring.
  Qed.

  (** 0 for the regular one, with any baseline. *)
  Corollary corner_regular_variance (pi : action k -> R) (c a : action k) : policy pi -> pi c = 1 ->
    variance pi law (fun A R => regular pi b A R a) = 0.
  Proof.
    intros on_simplex at_c; unfold regular; rewrite (corner_variance pi _ c) by assumption.
    rewrite (corner_is_one_hot pi c) by assumption; unfold Rsqr; ring.
  Qed.
End Variance.
