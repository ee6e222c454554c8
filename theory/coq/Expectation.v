(** Expectations, as far as linearity goes: this covers every law whose named moments exist, discrete or not. *)

From AltPG Require Export Policies.

(** A linear functional on the integrable functions of a sample space, 1 on the constant 1.
    Nothing else is used of an expectation, so nothing else is asked for. *)
Record expectation (Omega : Type) : Type := {
  integrable : (Omega -> R) -> Prop;
  mean : (Omega -> R) -> R;
  integrable_same : forall f g, (forall w, f w = g w) -> integrable f -> integrable g;
  mean_same : forall f g, (forall w, f w = g w) -> mean f = mean g;
  integrable_constant : forall c, integrable (fun _ => c);
  mean_constant : forall c, mean (fun _ => c) = c;
  integrable_plus : forall f g, integrable f -> integrable g -> integrable (fun w => f w + g w);
  mean_plus : forall f g, integrable f -> integrable g -> mean (fun w => f w + g w) = mean f + mean g;
  integrable_scale : forall c f, integrable f -> integrable (fun w => c * f w);
  mean_scale : forall c f, integrable f -> mean (fun w => c * f w) = c * mean f
}.

Arguments integrable {Omega}.
Arguments mean {Omega}.
Arguments integrable_same {Omega}.
Arguments mean_same {Omega}.
Arguments integrable_constant {Omega}.
Arguments mean_constant {Omega}.
Arguments integrable_plus {Omega}.
Arguments mean_plus {Omega}.
Arguments integrable_scale {Omega}.
Arguments mean_scale {Omega}.

Section Linearity.
  Context {Omega : Type} (E : expectation Omega).

  Lemma integrable_sum {k} (f : action k -> Omega -> R) :
    (forall a, integrable E (f a)) -> integrable E (fun w => ∑ a, f a w).
  Proof.
    induction k; intro each; simpl; [apply integrable_constant|].
    apply integrable_plus; [apply each | apply (IHk (fun a => f (Fin.FS a))); intro; apply each].
  Qed.

  Lemma mean_sum {k} (f : action k -> Omega -> R) :
    (forall a, integrable E (f a)) -> mean E (fun w => ∑ a, f a w) = ∑ a, mean E (f a).
  Proof.
    induction k; intro each; simpl; [apply mean_constant|].
    rewrite mean_plus; [|apply each | apply (integrable_sum (fun a => f (Fin.FS a))); intro; apply each].
    now rewrite (IHk (fun a => f (Fin.FS a))).
  Qed.

  (** The mean of c0 + c1 f. *)
  Lemma integrable_affine (c0 c1 : R) (f : Omega -> R) : integrable E f -> integrable E (fun w => c0 + c1 * f w).
  Proof. intro known; apply integrable_plus; [apply integrable_constant | now apply integrable_scale]. Qed.

  Lemma mean_affine (c0 c1 : R) (f : Omega -> R) : integrable E f -> mean E (fun w => c0 + c1 * f w) = c0 + c1 * mean E f.
  Proof. intro known; rewrite mean_plus, mean_constant, mean_scale; auto using integrable_constant, integrable_scale. Qed.
End Linearity.

(** ** Drawing an action and its reward *)

(** E[f(A, R)] for A ~ pi and R ~ law(A). *)
Definition expect {k} (pi : action k -> R) (law : action k -> expectation R) (f : action k -> R -> R) : R :=
  ∑ c, pi c * mean (law c) (f c).

(** r(a) is the expected reward of a. *)
Definition mean_rewards {k} (law : action k -> expectation R) (r : action k -> R) : Prop :=
  forall a, integrable (law a) (fun R => R) /\ mean (law a) (fun R => R) = r a.

(** sigma2(a) is the variance of the reward of a. *)
Definition noise {k} (law : action k -> expectation R) (r sigma2 : action k -> R) : Prop :=
  forall a, integrable (law a) (fun R => (R - r a)²) /\ mean (law a) (fun R => (R - r a)²) = sigma2 a.

(** Every law with finitely many outcomes is one: the outcome w(j) with probability p(j). *)
Definition finite_law {m Omega} (p : action m -> R) (w : action m -> Omega) (total : ∑ j, p j = 1) : expectation Omega.
Proof.
  refine {| integrable := fun _ => True; mean := fun f => ∑ j, p j * f (w j) |}; auto.
  - intros f g same; apply sum_ext; intro; now rewrite same.
  - intro c; now apply weighted_constant.
  - intros f g _ _; rewrite <- sum_plus; apply sum_ext; intro; ring.
  - intros c f _; rewrite <- sum_scale; apply sum_ext; intro; ring.
Defined.

(** A reward R enters the estimators by c (R - b). *)
Lemma reward_term {k} (law : action k -> expectation R) (r : action k -> R) (b c : R) (a : action k) :
  mean_rewards law r ->
  integrable (law a) (fun R => (R - b) * c) /\ mean (law a) (fun R => (R - b) * c) = (r a - b) * c.
Proof.
  intro rewards; destruct (rewards a) as [known mean_is].
  assert (same : forall R, - b * c + c * R = (R - b) * c) by (intro; ring); split.
  - apply (integrable_same _ _ _ same), integrable_affine, known.
  - rewrite <- (mean_same _ _ _ same), mean_affine, mean_is by exact known; ring.
Qed.
