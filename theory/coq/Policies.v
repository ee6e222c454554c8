(** Policies: points of the simplex, and the softmax of action preferences theta. *)

From AltPG Require Export FiniteSums.

(** A point of the closed simplex. *)
Definition policy {k} (pi : action k -> R) : Prop := (forall a, 0 <= pi a) /\ ∑ a, pi a = 1.

(** A point inside the simplex, as every softmax policy is. *)
Definition interior_policy {k} (pi : action k -> R) : Prop := (forall a, 0 < pi a) /\ ∑ a, pi a = 1.

Definition softmax {k} (theta : action k -> R) : action k -> R :=
  fun a => exp (theta a) / (∑ c, exp (theta c)).

(** r_pi, the expected reward of a policy; the paper also writes J. *)
Definition value {k} (r pi : action k -> R) : R := ∑ a, pi a * r a.

Lemma interior_is_policy {k} (pi : action k -> R) : interior_policy pi -> policy pi.
Proof. intros [positive total]; split; [intro; apply Rlt_le, positive | exact total]. Qed.

Lemma policy_arms {k} (pi : action k -> R) : policy pi -> (0 < k)%nat.
Proof. intros [_ total]; destruct k; [simpl in total; lra | apply Nat.lt_0_succ]. Qed.

Lemma one_hot_policy {k} (c : action k) : policy (one_hot c).
Proof.
  split.
  - intro a; unfold one_hot; destruct (Fin.eq_dec c a); lra.
  - rewrite (sum_ext _ (fun a => one_hot c a * 1)) by (intro; ring); apply (sum_one_hot c (fun _ => 1)).
Qed.

Lemma probability_le_1 {k} (pi : action k -> R) (a : action k) : policy pi -> pi a <= 1.
Proof. intros [nonnegative total]; rewrite <- total; now apply term_le_sum. Qed.

(** A policy with pi(c) = 1 is the corner e_c. *)
Lemma corner_is_one_hot {k} (pi : action k -> R) (c : action k) : policy pi -> pi c = 1 -> pi == one_hot c.
Proof.
  intros [nonnegative total] at_c a; destruct (Fin.eq_dec c a) as [<-|other]; [now rewrite one_hot_same|].
  rewrite one_hot_other by exact other.
  assert (rest : pi a * (1 - one_hot c a) <= ∑ j, (pi j * (1 - one_hot c j))).
  { apply (term_le_sum (fun j => pi j * (1 - one_hot c j))); intro j; specialize (nonnegative j).
    apply Rmult_le_pos; [exact nonnegative | unfold one_hot; destruct (Fin.eq_dec c j); lra]. }
  rewrite (sum_ext (fun j => pi j * (1 - one_hot c j)) (fun j => pi j - one_hot c j * pi j)) in rest by (intro; ring).
  rewrite sum_minus, sum_one_hot, total, at_c, one_hot_other in rest by exact other; specialize (nonnegative a); lra.
Qed.

(** The mean of a constant is that constant. *)
Lemma weighted_constant {k} (pi : action k -> R) (c : R) : ∑ a, pi a = 1 -> ∑ a, (pi a * c) = c.
Proof. intro total; rewrite (sum_ext _ (fun a => c * pi a)) by (intro; ring); rewrite sum_scale, total; ring. Qed.

(** ** Softmax *)

Lemma normaliser_positive {k} (theta : action k -> R) : (0 < k)%nat -> 0 < ∑ a, exp (theta a).
Proof. intro arms; apply sum_positive; [exact arms | intro; apply exp_pos]. Qed.

Lemma softmax_interior {k} (theta : action k -> R) : (0 < k)%nat -> interior_policy (softmax theta).
Proof.
  intro arms; assert (positive := normaliser_positive theta arms); unfold softmax; split.
  - intro a; apply Rdiv_lt_0_compat; [apply exp_pos | exact positive].
  - rewrite sum_divide; field; lra.
Qed.

(** Two actions' probabilities are in the ratio of their exponentiated preferences. *)
Lemma softmax_ratio {k} (theta : action k -> R) (a c : action k) :
  softmax theta a / softmax theta c = exp (theta a - theta c).
Proof.
  assert (positive := normaliser_positive theta (some_arm a)); assert (exp (theta c) <> 0) by apply exp_neq_0.
  unfold softmax, Rminus; rewrite exp_plus, exp_Ropp; field; lra.
Qed.

(** The logarithm of that ratio is the difference of the preferences. *)
Lemma log_ratio {k} (theta : action k -> R) (a c : action k) :
  ln (softmax theta a / softmax theta c) = theta a - theta c.
Proof. now rewrite softmax_ratio, ln_exp. Qed.
