(** The expected step of the alternate estimator with a fixed baseline, and the policy after it. *)

From AltPG Require Export Policies.

(** E[g_ALT], entry a: pi(a) (r(a) - b). [Estimators.expected_alternate_is_mean] derives it from the estimator. *)
Definition expected_alternate {k} (r : action k -> R) (b : R) (pi : action k -> R) : action k -> R :=
  fun a => pi a * (r a - b).

(** theta^(t+1) = theta^(t) + alpha E[g_ALT]. *)
Definition expected_step {k} (alpha : R) (r : action k -> R) (b : R) (theta : action k -> R) : action k -> R :=
  fun a => theta a + alpha * expected_alternate r b (softmax theta) a.

(** The preferences after t expected steps. *)
Fixpoint preferences {k} (alpha : R) (r : action k -> R) (b : R) (theta : action k -> R) (t : nat) : action k -> R :=
  match t with
  | O => theta
  | S t => expected_step alpha r b (preferences alpha r b theta t)
  end.

(** zeta(a) := alpha (r(a) - b). *)
Definition zeta {k} (alpha : R) (r : action k -> R) (b : R) : action k -> R := fun a => alpha * (r a - b).

(** The norm of the next policy, sum_c pi(c) e^(pi(c) z(c)). *)
Definition step_norm {k} (pi z : action k -> R) : R := ∑ c, pi c * exp (pi c * z c).

(** The next policy, pi_{t+1}(a) = pi_t(a) e^(pi_t(a) z(a)) / Z. *)
Definition next {k} (pi z : action k -> R) : action k -> R := fun a => pi a * exp (pi a * z a) / step_norm pi z.

Lemma preference_update {k} (alpha b : R) (r theta : action k -> R) :
  expected_step alpha r b theta == (fun a => theta a + softmax theta a * zeta alpha r b a).
Proof. intro a; unfold expected_step, expected_alternate, zeta; ring. Qed.

Lemma step_norm_positive {k} (pi z : action k -> R) : interior_policy pi -> 0 < step_norm pi z.
Proof.
  intros inside; apply sum_positive; [now apply (policy_arms pi), interior_is_policy|].
  intro c; apply Rmult_lt_0_compat; [apply inside | apply exp_pos].
Qed.

(** Eq. pi_{t+1}: the softmax of the preferences after the step, in terms of the policy before it. *)
Theorem next_policy {k} (alpha b : R) (r theta : action k -> R) :
  softmax (expected_step alpha r b theta) == next (softmax theta) (zeta alpha r b).
Proof.
  intro a; assert (arms := some_arm a).
  assert (before := normaliser_positive theta arms).
  assert (norm := step_norm_positive (softmax theta) (zeta alpha r b) (softmax_interior theta arms)).
  assert (grown : forall c, exp (expected_step alpha r b theta c)
                  = (∑ j, exp (theta j)) * (softmax theta c * exp (softmax theta c * zeta alpha r b c))).
  { intro c; rewrite preference_update, exp_plus; unfold softmax at 2; field; lra. }
  unfold softmax at 1, next; rewrite (sum_ext _ _ grown), sum_scale, grown; fold (step_norm (softmax theta) (zeta alpha r b)).
  field; lra.
Qed.
