(** Lemma 2.1: the policies that the expected step of the alternate estimator leaves as they are. *)

From AltPG Require Export Step.

(** kappa = (sum_c 1/(r(c) - b))^-1. *)
Definition kappa {k} (r : action k -> R) (b : R) : R := / (∑ c, / (r c - b)).

(** pi*(a) = 1/(r(a) - b) (sum_c 1/(r(c) - b))^-1. *)
Definition pi_star {k} (r : action k -> R) (b : R) : action k -> R := fun a => / (r a - b) * / (∑ c, / (r c - b)).

(** The baseline is pessimistic, or optimistic. *)
Definition pessimistic {k} (r : action k -> R) (b : R) : Prop := forall a, b < r a.
Definition optimistic {k} (r : action k -> R) (b : R) : Prop := forall a, r a < b.

(** ** When a step with any gradient g leaves the policy as it is *)

(** The step leaves the policy as it is exactly if every entry of g is (1/alpha) log (sum e^(theta + alpha g) / sum e^theta). *)
Theorem fixed_point_equation {k} (alpha : R) (theta g : action k -> R) : 0 < alpha ->
  softmax (fun a => theta a + alpha * g a) == softmax theta <->
  g == (fun _ => / alpha * ln ((∑ c, exp (theta c + alpha * g c)) / (∑ c, exp (theta c)))).
Proof.
  intro positive; split; intros fixed a; specialize (fixed a); assert (arms := some_arm a).
  all: assert (before := normaliser_positive theta arms).
  all: assert (after := normaliser_positive (fun c => theta c + alpha * g c) arms).
  all: assert (top := exp_pos (theta a)).
  - unfold softmax in fixed; rewrite exp_plus in fixed.
    replace ((∑ c, exp (theta c + alpha * g c)) / (∑ c, exp (theta c))) with (exp (alpha * g a)).
    { rewrite ln_exp; field; lra. }
    apply (Rmult_eq_reg_l (exp (theta a) / (∑ c, exp (theta c + alpha * g c)))).
    + transitivity (exp (theta a) * exp (alpha * g a) / (∑ c, exp (theta c + alpha * g c))); [field; lra|].
      rewrite fixed; field; lra.
    + apply Rgt_not_eq, Rdiv_lt_0_compat; lra.
  - unfold softmax; rewrite exp_plus.
    replace (alpha * g a) with (ln ((∑ c, exp (theta c + alpha * g c)) / (∑ c, exp (theta c)))).
    + rewrite exp_ln; [field; lra | now apply Rdiv_lt_0_compat].
    + rewrite fixed; field; lra.
Qed.

(** The same, without naming the constant. *)
Theorem fixed_iff_constant {k} (alpha : R) (theta g : action k -> R) : 0 < alpha ->
  softmax (fun a => theta a + alpha * g a) == softmax theta <-> exists constant, forall a, g a = constant.
Proof.
  intro positive; rewrite fixed_point_equation by assumption; split; [intro fixed; eexists; exact fixed|].
  intros [constant same] a; rewrite same.
  rewrite (sum_ext _ (fun c => exp (alpha * constant) * exp (theta c))).
  - assert (before := normaliser_positive theta (some_arm a)).
    rewrite sum_scale; replace (exp (alpha * constant) * (∑ c, exp (theta c)) / (∑ c, exp (theta c))) with (exp (alpha * constant)).
    + rewrite ln_exp; field; lra.
    + field; lra.
  - intro c; rewrite same, Rplus_comm; apply exp_plus.
Qed.

(** The policy is a fixed point of the alternate estimator's step exactly if pi(a) (r(a) - b) is the same for all actions. *)
Corollary alternate_fixed_iff {k} (alpha b : R) (r theta : action k -> R) : 0 < alpha ->
  softmax (expected_step alpha r b theta) == softmax theta <->
  exists constant, forall a, softmax theta a * (r a - b) = constant.
Proof. apply fixed_iff_constant. Qed.

(** ** Case 1: the baseline lies between the rewards *)

(** Two entries of the expected update have different signs. *)
Lemma case_1_signs {k} (r pi : action k -> R) (b : R) (low high : action k) : interior_policy pi ->
  r low < b < r high -> pi low * (r low - b) < 0 < pi high * (r high - b).
Proof. intros [positive _] between; split; [assert (H := positive low) | assert (H := positive high)]; nra. Qed.

(** So a policy inside the simplex is no fixed point. *)
Theorem case_1_no_fixed_point {k} (alpha b : R) (r theta : action k -> R) (low high : action k) : 0 < alpha ->
  r low < b < r high -> ~ softmax (expected_step alpha r b theta) == softmax theta.
Proof.
  intros positive between; rewrite alternate_fixed_iff by assumption; intros [constant same].
  assert (signs := case_1_signs r _ b low high (softmax_interior theta (some_arm low)) between).
  rewrite !same in signs; lra.
Qed.

(** On the closed simplex the update is never zero when no reward equals the baseline. *)
Theorem case_1_never_zero {k} (r pi : action k -> R) (b : R) : policy pi ->
  (forall a, r a <> b) -> ~ expected_alternate r b pi == (fun _ => 0).
Proof.
  intros [_ total] apart zero; rewrite (sum_ext _ (fun _ => 0 * 0)), sum_scale in total; [lra|].
  intro a; specialize (zero a); specialize (apart a); unfold expected_alternate in zero.
  destruct (Rmult_integral _ _ zero); lra.
Qed.

(** Nor is there a kappa that satisfies the equations. *)
Theorem case_1_no_kappa {k} (r pi : action k -> R) (b : R) (low high : action k) : policy pi ->
  (forall a, r a <> b) -> r low < b < r high -> ~ exists constant, forall a, pi a * (r a - b) = constant.
Proof.
  intros on_simplex apart [below above] [constant same].
  assert (constant = 0) as ->.
  { assert (at_low := same low); assert (at_high := same high); destruct on_simplex as [nonnegative _].
    assert (0 <= pi low * (b - r low)) by (apply Rmult_le_pos; [apply nonnegative | lra]).
    assert (0 <= pi high * (r high - b)) by (apply Rmult_le_pos; [apply nonnegative | lra]).
    lra. }
  exact (case_1_never_zero r pi b on_simplex apart same).
Qed.

(** ** Case 2: the baseline is the reward of an action *)

Lemma case_2_kappa_zero {k} (r pi : action k -> R) (b constant : R) (c : action k) :
  r c = b -> (forall a, pi a * (r a - b) = constant) -> constant = 0.
Proof. intros at_c same; rewrite <- (same c), at_c; ring. Qed.

(** The update is zero exactly on the face of the actions whose reward is the baseline. *)
Theorem case_2_face {k} (r pi : action k -> R) (b : R) : policy pi ->
  expected_alternate r b pi == (fun _ => 0) <-> ∑ a, (if Req_EM_T (r a) b then pi a else 0) = 1.
Proof.
  intros [nonnegative total]; split.
  - intro zero; rewrite <- total; apply sum_ext; intro a; specialize (zero a); unfold expected_alternate in zero.
    destruct (Req_EM_T (r a) b); [reflexivity | destruct (Rmult_integral _ _ zero); lra].
  - intros face a; unfold expected_alternate.
    pose (outside := fun c => pi c - (if Req_EM_T (r c) b then pi c else 0)).
    assert (rest : outside a <= ∑ c, outside c).
    { apply term_le_sum; intro c; specialize (nonnegative c); unfold outside; destruct (Req_EM_T (r c) b); lra. }
    unfold outside in rest; rewrite sum_minus, total, face in rest.
    specialize (nonnegative a); destruct (Req_EM_T (r a) b) as [->|]; [ring | replace (pi a) with 0 by lra; ring].
Qed.

(** ** Case 3: the baseline lies below or above all rewards *)

(** All of r(a) - b have one sign, and so has their sum of inverses. *)
Lemma inverse_sum_not_0 {k} (r : action k -> R) (b : R) : (0 < k)%nat ->
  pessimistic r b \/ optimistic r b -> (forall a, r a - b <> 0) /\ ∑ c, / (r c - b) <> 0.
Proof.
  intros arms [below|above].
  - split; [intro a; specialize (below a); lra|].
    apply Rgt_not_eq, sum_positive; [exact arms | intro a; specialize (below a); apply Rinv_0_lt_compat; lra].
  - split; [intro a; specialize (above a); lra|].
    assert (positive : 0 < ∑ c, / (b - r c)).
    { apply sum_positive; [exact arms | intro a; specialize (above a); apply Rinv_0_lt_compat; lra]. }
    rewrite (sum_ext _ (fun c => -1 * / (b - r c))), sum_scale; [lra|].
    intro a; specialize (above a); field; lra.
Qed.

(** The equations determine kappa and the policy, on the closed simplex and even off it. *)
Theorem case_3_unique {k} (r pi : action k -> R) (b constant : R) :
  pessimistic r b \/ optimistic r b -> ∑ a, pi a = 1 -> (forall a, pi a * (r a - b) = constant) ->
  constant = kappa r b /\ pi == pi_star r b.
Proof.
  intros side total same.
  assert (arms : (0 < k)%nat) by (destruct k; [simpl in total; lra | apply Nat.lt_0_succ]).
  destruct (inverse_sum_not_0 r b arms side) as [apart sum_not_0].
  assert (each : forall a, pi a = constant * / (r a - b)).
  { intro a; rewrite <- (same a); field; apply apart. }
  assert (solved : constant = kappa r b).
  { rewrite (sum_ext _ _ each), sum_scale in total; unfold kappa.
    apply (Rmult_eq_reg_r (∑ c, / (r c - b))); [rewrite total; field; exact sum_not_0 | exact sum_not_0]. }
  split; [exact solved|]; intro a; rewrite each, solved; unfold kappa, pi_star; apply Rmult_comm.
Qed.

(** kappa is not zero. *)
Theorem kappa_not_0 {k} (r : action k -> R) (b : R) : (0 < k)%nat -> pessimistic r b \/ optimistic r b -> kappa r b <> 0.
Proof. intros arms side; apply Rinv_neq_0_compat; now apply (inverse_sum_not_0 r b). Qed.

(** At pi* every entry of the expected update is kappa. *)
Lemma update_at_pi_star {k} (r : action k -> R) (b : R) :
  pessimistic r b \/ optimistic r b -> expected_alternate r b (pi_star r b) == (fun _ => kappa r b).
Proof.
  intros side a; destruct (inverse_sum_not_0 r b (some_arm a) side) as [apart sum_not_0].
  unfold expected_alternate, pi_star, kappa; field; split; [exact sum_not_0 | apply apart].
Qed.

(** pi* lies inside the simplex. *)
Theorem pi_star_interior {k} (r : action k -> R) (b : R) : (0 < k)%nat ->
  pessimistic r b \/ optimistic r b -> interior_policy (pi_star r b).
Proof.
  intros arms side; destruct (inverse_sum_not_0 r b arms side) as [apart sum_not_0]; split.
  - intro a; unfold pi_star; rewrite <- Rinv_mult; apply Rinv_0_lt_compat; rewrite <- sum_scale.
    apply sum_positive; [exact arms|]; intro c; destruct side as [below|above].
    + specialize (below a) as below_a; specialize (below c).
      apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; lra.
    + specialize (above a) as above_a; specialize (above c).
      replace ((r a - b) * / (r c - b)) with ((b - r a) * / (b - r c)) by (field; lra).
      apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; lra.
  - unfold pi_star; rewrite (sum_ext _ (fun a => (/ (∑ c, / (r c - b))) * / (r a - b))) by (intro; ring).
    rewrite sum_scale; field; exact sum_not_0.
Qed.

(** Of all policies, the step with any alpha > 0 leaves exactly pi* as it is, and there moves every preference by alpha kappa. *)
Theorem case_3_fixed_iff_pi_star {k} (alpha b : R) (r theta : action k -> R) : 0 < alpha ->
  pessimistic r b \/ optimistic r b ->
  softmax (expected_step alpha r b theta) == softmax theta <-> softmax theta == pi_star r b.
Proof.
  intros positive side; rewrite alternate_fixed_iff by assumption; split.
  - intros [constant same] a; assert (arms := some_arm a).
    now apply (case_3_unique r (softmax theta) b constant side); [apply softmax_interior|].
  - intro at_star; exists (kappa r b); intro a; rewrite at_star; now apply update_at_pi_star.
Qed.

Theorem case_3_moves_by_kappa {k} (alpha b : R) (r theta : action k -> R) :
  pessimistic r b \/ optimistic r b -> softmax theta == pi_star r b ->
  expected_step alpha r b theta == (fun a => theta a + alpha * kappa r b).
Proof.
  intros side at_star a; unfold expected_step; f_equal; f_equal.
  rewrite <- (update_at_pi_star r b side a); unfold expected_alternate; now rewrite at_star.
Qed.

(** Beyond the paper: the value of pi* is the baseline less the harmonic mean of b - r(a). *)
Theorem value_at_pi_star {k} (r : action k -> R) (b : R) : (0 < k)%nat ->
  optimistic r b -> value r (pi_star r b) = b - INR k / (∑ a, / (b - r a)).
Proof.
  intros arms above; assert (side : pessimistic r b \/ optimistic r b) by now right.
  unfold value; rewrite (sum_ext _ (fun a => b * pi_star r b a + kappa r b)).
  - rewrite sum_plus, sum_scale, sum_constant; destruct (pi_star_interior r b arms side) as [_ ->]; unfold kappa.
    destruct (inverse_sum_not_0 r b arms side) as [_ sum_not_0].
    assert (flipped : ∑ a, / (r a - b) = - ∑ a, / (b - r a)).
    { rewrite (sum_ext _ (fun a => -1 * / (b - r a))), sum_scale; [ring|].
      intro a; specialize (above a); field; lra. }
    rewrite flipped in *; field; lra.
  - intro a; rewrite <- (update_at_pi_star r b side a); unfold expected_alternate; ring.
Qed.
