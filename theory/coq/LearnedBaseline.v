(** Beyond the paper: what a learned baseline and the preferences keep, along every path of actions and rewards.

    b_{t+1} = (1 - beta) b_t + beta R_t, and both updates use the same R_t - b_t. *)

From AltPG Require Export Estimators.

Definition next_baseline (beta b reward : R) : R := (1 - beta) * b + beta * reward.

(** The preferences and the baseline after t steps, with the estimator's eta given for each step. *)
Fixpoint learn {k} (eta : (action k -> R) -> action k -> R) (alpha beta : R) (theta : action k -> R) (b : R)
  (A : nat -> action k) (reward : nat -> R) (t : nat) : (action k -> R) * R :=
  match t with
  | O => (theta, b)
  | S t =>
      let '(theta_t, b_t) := learn eta alpha beta theta b A reward t in
      (fun a => theta_t a + alpha * estimate (eta theta_t) b_t (A t) (reward t) a, next_baseline beta b_t (reward t))
  end.

(** eta = 0 is the alternate estimator, eta = pi the regular one. *)
Definition learn_alternate {k} := learn (k := k) (fun _ _ => 0).
Definition learn_regular {k} := learn (k := k) softmax.

(** A step moves sum_a theta_a by alpha (R - b) (1 - sum_a eta(a)). *)
Lemma total_moves {k} (alpha b reward : R) (theta eta : action k -> R) (A : action k) :
  ∑ a, (theta a + alpha * estimate eta b A reward a) = ∑ a, theta a + alpha * ((reward - b) * (1 - ∑ a, eta a)).
Proof.
  unfold estimate; rewrite sum_plus, !sum_scale, sum_minus, (proj2 (one_hot_policy A)); reflexivity.
Qed.

(** The alternate estimator keeps sum_a theta_a - (alpha / beta) b, whatever happens. *)
Theorem alternate_invariant {k} (alpha beta b : R) (theta : action k -> R) (A : nat -> action k) (reward : nat -> R) (t : nat) :
  beta <> 0 -> let '(theta_t, b_t) := learn_alternate alpha beta theta b A reward t in
  ∑ a, theta_t a - alpha / beta * b_t = ∑ a, theta a - alpha / beta * b.
Proof.
  intro learns; unfold learn_alternate; induction t as [|t kept]; [reflexivity|]; simpl.
  destruct (learn _ alpha beta theta b A reward t) as [theta_t b_t].
  rewrite <- kept, total_moves, (sum_constant k 0); unfold next_baseline; field; exact learns.
Qed.

(** The regular estimator keeps sum_a theta_a. *)
Theorem regular_invariant {k} (alpha beta b : R) (theta : action k -> R) (A : nat -> action k) (reward : nat -> R) (t : nat) :
  ∑ a, fst (learn_regular alpha beta theta b A reward t) a = ∑ a, theta a.
Proof.
  unfold learn_regular; induction t as [|t kept]; [reflexivity|]; simpl.
  destruct (learn _ alpha beta theta b A reward t) as [theta_t b_t]; simpl in *.
  rewrite total_moves, kept, (proj2 (softmax_interior theta_t (some_arm (A O)))); ring.
Qed.
