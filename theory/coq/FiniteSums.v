(** Finite sums over the actions of a bandit with k arms.

    [action k] has exactly k elements, so "for every k" needs no bound on an index. *)

From Coq Require Export Reals Lra.
From Coq Require Arith Vectors.Fin.
Open Scope R_scope.

Notation action := Fin.t.
Notation "pi == pi'" := (forall a : action _, pi a = pi' a :> R) (at level 70).

Fixpoint sum {k : nat} : (action k -> R) -> R :=
  match k with
  | O => fun _ => 0
  | S _ => fun f => f Fin.F1 + sum (fun a => f (Fin.FS a))
  end.

Notation "∑ a , f" := (sum (fun a => f)) (at level 41, a name, f at level 41, format "∑  a ,  f").

(** The sum over the steps t < T. *)
Fixpoint sum_until (T : nat) (f : nat -> R) : R := match T with O => 0 | S T => sum_until T f + f T end.

(** e_c, the basis vector of the action c. *)
Definition one_hot {k} (c a : action k) : R := if Fin.eq_dec c a then 1 else 0.

Lemma one_hot_same {k} (c : action k) : one_hot c c = 1.
Proof. unfold one_hot; now destruct (Fin.eq_dec c c). Qed.

Lemma one_hot_other {k} (c a : action k) : c <> a -> one_hot c a = 0.
Proof. unfold one_hot; intro; now destruct (Fin.eq_dec c a). Qed.

Lemma one_hot_square {k} (c a : action k) : one_hot c a * one_hot c a = one_hot c a.
Proof. unfold one_hot; destruct (Fin.eq_dec c a); ring. Qed.

(** ** Sums are linear *)

Lemma sum_ext {k} (f g : action k -> R) : f == g -> ∑ a, f a = ∑ a, g a.
Proof. induction k; intro same; simpl; [reflexivity | now rewrite same, (IHk _ (fun a => g (Fin.FS a)))]. Qed.

Lemma sum_plus {k} (f g : action k -> R) : ∑ a, (f a + g a) = ∑ a, f a + ∑ a, g a.
Proof. induction k; simpl; [ring | rewrite IHk; ring]. Qed.

Lemma sum_scale {k} (c : R) (f : action k -> R) : ∑ a, (c * f a) = c * (∑ a, f a).
Proof. induction k; simpl; [ring | rewrite IHk; ring]. Qed.

Lemma sum_minus {k} (f g : action k -> R) : ∑ a, (f a - g a) = ∑ a, f a - ∑ a, g a.
Proof. induction k; simpl; [ring | rewrite IHk; ring]. Qed.

Lemma sum_divide {k} (c : R) (f : action k -> R) : ∑ a, (f a / c) = (∑ a, f a) / c.
Proof. unfold Rdiv; rewrite Rmult_comm, <- sum_scale; apply sum_ext; intro; apply Rmult_comm. Qed.

Lemma sum_constant k (c : R) : sum (fun _ : action k => c) = INR k * c.
Proof. induction k; [simpl; ring | rewrite S_INR; simpl; rewrite IHk; ring]. Qed.

Lemma sum_one_hot {k} (c : action k) (f : action k -> R) : ∑ a, (one_hot c a * f a) = f c.
Proof.
  induction k as [|k IHk]; [now apply Fin.case0|].
  simpl; pattern c; apply (Fin.caseS' c); clear c.
  - rewrite one_hot_same, (sum_ext _ (fun a => 0 * f (Fin.FS a))), sum_scale; [ring|].
    intro a; rewrite one_hot_other; [reflexivity | discriminate].
  - intro c; rewrite one_hot_other by discriminate.
    rewrite <- (IHk c (fun a => f (Fin.FS a))), (sum_ext _ (fun a => one_hot c a * f (Fin.FS a))); [ring|].
    intro a; destruct (Fin.eq_dec c a) as [<-|different].
    + now rewrite !one_hot_same.
    + rewrite !one_hot_other; [reflexivity | assumption | intro same; now apply different, Fin.FS_inj].
Qed.

(** ** Sums are monotone *)

Lemma sum_le {k} (f g : action k -> R) : (forall a, f a <= g a) -> ∑ a, f a <= ∑ a, g a.
Proof. induction k; intro below; simpl; [lra | apply Rplus_le_compat; [apply below | apply IHk; intro; apply below]]. Qed.

Lemma sum_lt {k} (f g : action k -> R) : (forall a, f a <= g a) -> (exists a, f a < g a) -> ∑ a, f a < ∑ a, g a.
Proof.
  intros below [c strictly].
  rewrite <- (sum_one_hot c f), <- (sum_one_hot c g) in strictly.
  assert (rest : ∑ a, (f a - one_hot c a * f a) <= ∑ a, (g a - one_hot c a * g a)).
  { apply sum_le; intro a; specialize (below a); unfold one_hot; destruct (Fin.eq_dec c a); lra. }
  rewrite !sum_minus in rest; lra.
Qed.

Lemma sum_nonnegative {k} (f : action k -> R) : (forall a, 0 <= f a) -> 0 <= ∑ a, f a.
Proof.
  intro nonnegative; rewrite <- (Rmult_0_l (∑ a, f a)), <- sum_scale.
  apply sum_le; intro a; specialize (nonnegative a); lra.
Qed.

Lemma sum_positive {k} (f : action k -> R) : (0 < k)%nat -> (forall a, 0 < f a) -> 0 < ∑ a, f a.
Proof.
  intros arms positive; destruct k; [inversion arms|]; simpl.
  apply Rplus_lt_le_0_compat; [apply positive | apply sum_nonnegative; intro; apply Rlt_le, positive].
Qed.

Lemma term_le_sum {k} (f : action k -> R) (c : action k) : (forall a, 0 <= f a) -> f c <= ∑ a, f a.
Proof.
  intro nonnegative; rewrite <- (sum_one_hot c f) at 1.
  apply sum_le; intro a; specialize (nonnegative a); unfold one_hot; destruct (Fin.eq_dec c a); lra.
Qed.

(** ** Two vectors are the same or differ at an action *)

Lemma some_arm {k} : action k -> (0 < k)%nat.
Proof. destruct k; intro a; [now apply Fin.case0 | apply Nat.lt_0_succ]. Qed.

Lemma same_or_differ {k} (f g : action k -> R) : f == g \/ exists a, f a <> g a.
Proof.
  induction k as [|k IHk]; [left; intro a; now apply Fin.case0|].
  destruct (Req_dec (f Fin.F1) (g Fin.F1)) as [first|]; [|now right; exists Fin.F1].
  destruct (IHk (fun a => f (Fin.FS a)) (fun a => g (Fin.FS a))) as [rest|[a differ]].
  - left; intro a; exact (Fin.caseS' a (fun a => f a = g a) first rest).
  - right; now exists (Fin.FS a).
Qed.

Lemma differ {k} (f g : action k -> R) : ~ f == g -> exists a, f a <> g a.
Proof. now destruct (same_or_differ f g). Qed.
