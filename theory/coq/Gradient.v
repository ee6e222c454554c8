(** The gradient of the expected reward of a softmax policy, and which estimator is unbiased for it. *)

From AltPG Require Export Estimators.

(** f has the partial derivative l with respect to the preference of a. *)
Definition partial {k} (f : (action k -> R) -> R) (theta : action k -> R) (a : action k) (l : R) : Prop :=
  derivable_pt_lim (fun t => f (fun c => theta c + t * one_hot a c)) 0 l.

(** J as a function of the preferences. *)
Definition J {k} (r theta : action k -> R) : R := value r (softmax theta).

Lemma derivative_sum {k} (f : action k -> R -> R) (t : R) (l : action k -> R) :
  (forall a, derivable_pt_lim (f a) t (l a)) -> derivable_pt_lim (fun t => ∑ a, f a t) t (∑ a, l a).
Proof.
  induction k as [|k IHk]; intro each; simpl; [apply derivable_pt_lim_const|].
  apply (derivable_pt_lim_plus (f Fin.F1) (fun t => ∑ a, f (Fin.FS a) t)); [apply each|].
  apply (IHk (fun a => f (Fin.FS a)) (fun a => l (Fin.FS a))); intro; apply each.
Qed.

Lemma derivative_same (f g : R -> R) (t l : R) : (forall s, f s = g s) -> derivable_pt_lim g t l -> derivable_pt_lim f t l.
Proof.
  intros same known eps positive; destruct (known eps positive) as [delta close]; exists delta.
  intros; rewrite !same; now apply close.
Qed.

Lemma derivative_exp_affine (p q w : R) : derivable_pt_lim (fun t => exp (p + t * q) * w) 0 (q * exp p * w).
Proof.
  replace (q * exp p * w) with (exp (p + 0 * q) * (0 + (1 * q + 0 * 0)) * w + exp (p + 0 * q) * 0) by (rewrite Rmult_0_l, Rplus_0_r; ring).
  apply (derivable_pt_lim_mult (fun t => exp (p + t * q)) (fun _ => w)); [|apply derivable_pt_lim_const].
  apply (derivable_pt_lim_comp (fun t => p + t * q) exp); [|apply derivable_pt_lim_exp].
  apply (derivable_pt_lim_plus (fun _ => p) (fun t => t * q)); [apply derivable_pt_lim_const|].
  apply (derivable_pt_lim_mult (fun t => t) (fun _ => q)); [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
Qed.

(** The gradient of J is pi (r - r_pi 1). *)
Theorem gradient {k} (r theta : action k -> R) (a : action k) :
  partial (J r) theta a (softmax theta a * (r a - value r (softmax theta))).
Proof.
  unfold partial; assert (positive := normaliser_positive theta (some_arm a)).
  pose (top := fun t => ∑ c, exp (theta c + t * one_hot a c) * r c).
  pose (bottom := fun t => ∑ c, exp (theta c + t * one_hot a c) * 1).
  assert (start : forall w, (∑ c, exp (theta c + 0 * one_hot a c) * w c) = ∑ c, exp (theta c) * w c).
  { intro w; apply sum_ext; intro c; now rewrite Rmult_0_l, Rplus_0_r. }
  assert (slope : forall w, derivable_pt_lim (fun t => ∑ c, exp (theta c + t * one_hot a c) * w c) 0 (exp (theta a) * w a)).
  { intro w; rewrite <- (sum_one_hot a (fun c => exp (theta c) * w c)).
    rewrite (sum_ext _ (fun c => one_hot a c * exp (theta c) * w c)) by (intro; ring).
    apply derivative_sum; intro c; apply derivative_exp_affine. }
  apply derivative_same with (fun t => top t / bottom t).
  - intro t; unfold J, value, softmax, top, bottom; rewrite <- sum_divide; apply sum_ext; intro c.
    rewrite (sum_ext (fun c => exp (theta c + t * one_hot a c) * 1) (fun c => exp (theta c + t * one_hot a c))) by (intro; ring).
    unfold Rdiv; ring.
  - assert (bottom_0 : bottom 0 = ∑ c, exp (theta c)).
    { unfold bottom; rewrite (start (fun _ => 1)); apply sum_ext; intro; ring. }
    assert (value_is : value r (softmax theta) = (∑ c, exp (theta c) * r c) / (∑ c, exp (theta c))).
    { unfold value, softmax; rewrite <- sum_divide; apply sum_ext; intro c; unfold Rdiv; ring. }
    replace (softmax theta a * (r a - value r (softmax theta)))
      with ((exp (theta a) * r a * bottom 0 - exp (theta a) * 1 * top 0) / (bottom 0)²).
    + apply (derivable_pt_lim_div top bottom); [apply slope | apply (slope (fun _ => 1)) | rewrite bottom_0; lra].
    + rewrite bottom_0, value_is; unfold top; rewrite (start r); unfold softmax, Rsqr; field; lra.
Qed.

(** The softmax Jacobian: the derivative of pi(c) is pi(a) (I(a = c) - pi(c)). *)
Corollary softmax_jacobian {k} (theta : action k -> R) (a c : action k) :
  partial (fun theta => softmax theta c) theta a (softmax theta a * (one_hot c a - softmax theta c)).
Proof.
  assert (entry : forall pi : action k -> R, value (one_hot c) pi = pi c).
  { intro pi; unfold value; rewrite <- (sum_one_hot c pi); apply sum_ext; intro; ring. }
  rewrite <- (entry (softmax theta)); apply derivative_same with (2 := gradient (one_hot c) theta a).
  intro t; symmetry; apply entry.
Qed.

Section Bias.
  Context {k : nat} (law : action k -> expectation R) (r theta : action k -> R) (b : R).
  Hypothesis rewards : mean_rewards law r.

  (** The regular estimator is unbiased, whatever the baseline. *)
  Theorem regular_unbiased (a : action k) :
    partial (J r) theta a (expect (softmax theta) law (fun A R => regular (softmax theta) b A R a)).
  Proof.
    rewrite (expected_regular law r) by (exact rewards || exact (proj2 (softmax_interior theta (some_arm a)))).
    apply gradient.
  Qed.

  (** The alternate estimator is biased by (r_pi - b) pi. *)
  Theorem alternate_bias (a : action k) :
    partial (J r) theta a
      (expect (softmax theta) law (fun A R => alternate b A R a) - (value r (softmax theta) - b) * softmax theta a).
  Proof.
    rewrite (expected_alternate_is_mean law r) by (exact rewards || exact (proj2 (softmax_interior theta (some_arm a)))).
    replace (_ - _) with (softmax theta a * (r a - value r (softmax theta))) by (unfold expected_alternate; ring).
    apply gradient.
  Qed.

  (** So it is unbiased exactly if b = r_pi. *)
  Corollary alternate_unbiased_iff (a : action k) :
    partial (J r) theta a (expect (softmax theta) law (fun A R => alternate b A R a)) <-> b = value r (softmax theta).
  Proof.
    assert (bias := alternate_bias a); assert (probability := proj1 (softmax_interior theta (some_arm a)) a); split.
    - intro unbiased; assert (same := uniqueness_limite _ _ _ _ bias unbiased).
      destruct (Rmult_integral (value r (softmax theta) - b) (softmax theta a)); lra.
    - intro at_value; replace (value r (softmax theta) - b) with 0 in bias by lra.
      rewrite Rmult_0_l, Rminus_0_r in bias; exact bias.
  Qed.
End Bias.
