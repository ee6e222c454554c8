(** Beyond the paper: with a baseline below the best reward, every corner's exact basin under the expected step.

    The leader is the action with the largest pi(a) (r(a) - b), where r(a) > b. It stays the leader, all odds against it
    fall at a geometric rate, and the policy converges to its corner, for every stepsize. *)

From AltPG Require Export Step Limits.

Definition leader {k} (r : action k -> R) (b : R) (pi : action k -> R) (a : action k) : Prop :=
  b < r a /\ forall c, c <> a -> pi c * (r c - b) < pi a * (r a - b).

(** How far the leader a is ahead of c: pi(a) (r(a) - b) - max(0, pi(c) (r(c) - b)). *)
Definition lead {k} (r : action k -> R) (b : R) (pi : action k -> R) (a c : action k) : R :=
  pi a * (r a - b) - Rmax 0 (pi c * (r c - b)).

Lemma lead_positive {k} (r pi : action k -> R) (b : R) (a c : action k) :
  (forall j, 0 < pi j) -> leader r b pi a -> c <> a -> 0 < lead r b pi a c.
Proof.
  intros positive [above first] other; specialize (first c other); specialize (positive a); unfold lead.
  assert (0 < pi a * (r a - b)) by (apply Rmult_lt_0_compat; lra); unfold Rmax; destruct (Rle_dec 0 _); lra.
Qed.

(** 1/pi(a) is the sum of the odds against a. *)
Lemma inverse_probability {k} (theta : action k -> R) (a : action k) : / softmax theta a = ∑ c, exp (theta c - theta a).
Proof.
  assert (positive := normaliser_positive theta (some_arm a)); assert (top := exp_pos (theta a)).
  rewrite (sum_ext _ (fun c => exp (theta c) / exp (theta a))).
  - rewrite sum_divide; unfold softmax; field; lra.
  - intro c; unfold Rminus, Rdiv; now rewrite exp_plus, exp_Ropp.
Qed.

(** If no odds against a have risen, the probability of a has not fallen. *)
Lemma probability_rises {k} (theta theta' : action k -> R) (a : action k) :
  (forall c, theta' c - theta' a <= theta c - theta a) -> softmax theta a <= softmax theta' a.
Proof.
  intro fall; assert (before := proj1 (softmax_interior theta (some_arm a)) a).
  assert (after := proj1 (softmax_interior theta' (some_arm a)) a).
  rewrite <- (Rinv_inv (softmax theta a)), <- (Rinv_inv (softmax theta' a)), !inverse_probability.
  apply Rinv_le_contravar.
  - rewrite <- inverse_probability; now apply Rinv_0_lt_compat.
  - apply sum_le; intro c; destruct (Rle_lt_or_eq_dec _ _ (fall c)) as [less| ->]; [apply Rlt_le, exp_increasing, less | apply Rle_refl].
Qed.

(** As long as no odds against a are above what they were at theta_0, a is ahead of c by at least the first lead. *)
Lemma lead_kept {k} (r theta theta_0 : action k -> R) (b : R) (a c : action k) : leader r b (softmax theta_0) a ->
  c <> a -> (forall j, theta j - theta a <= theta_0 j - theta_0 a) ->
  lead r b (softmax theta_0) a c <= expected_alternate r b (softmax theta) a - expected_alternate r b (softmax theta) c.
Proof.
  intros [above first] other fall; specialize (first c other).
  assert (rises := probability_rises theta_0 theta a fall).
  assert (p_a := proj1 (softmax_interior theta_0 (some_arm a)) a); assert (p_c := proj1 (softmax_interior theta (some_arm a)) c).
  unfold lead, expected_alternate; destruct (Rle_lt_dec (r c) b) as [low|high].
  - assert (0 <= Rmax 0 (softmax theta_0 c * (r c - b))) by apply Rmax_l.
    assert (softmax theta_0 a * (r a - b) <= softmax theta a * (r a - b)) by (apply Rmult_le_compat_r; lra).
    assert (0 <= softmax theta c * (b - r c)) by (apply Rmult_le_pos; lra); lra.
  - assert (odds : forall preferences, softmax preferences c = softmax preferences a * exp (preferences c - preferences a)).
    { intro preferences; rewrite <- softmax_ratio; assert (q := proj1 (softmax_interior preferences (some_arm a)) a); field; lra. }
    rewrite (odds theta), (odds theta_0) in *.
    assert (fallen : exp (theta c - theta a) <= exp (theta_0 c - theta_0 a)).
    { destruct (Rle_lt_or_eq_dec _ _ (fall c)) as [less| ->]; [apply Rlt_le, exp_increasing, less | apply Rle_refl]. }
    set (odd := exp (theta c - theta a)) in *; set (odd_0 := exp (theta_0 c - theta_0 a)) in *.
    assert (at_most := Rmax_r 0 (softmax theta_0 a * odd_0 * (r c - b))).
    assert (behind : 0 < r a - b - odd_0 * (r c - b)).
    { apply (Rmult_lt_reg_l (softmax theta_0 a)); [exact p_a | lra]. }
    assert (odd * (r c - b) <= odd_0 * (r c - b)) by (apply Rmult_le_compat_r; lra).
    apply Rle_trans with (softmax theta a * (r a - b - odd_0 * (r c - b))).
    + apply Rle_trans with (softmax theta_0 a * (r a - b - odd_0 * (r c - b))); [lra | apply Rmult_le_compat_r; lra].
    + replace (softmax theta a * (r a - b) - softmax theta a * odd * (r c - b))
        with (softmax theta a * (r a - b - odd * (r c - b))) by ring.
      apply Rmult_le_compat_l; lra.
Qed.

(** The log-odds against the leader fall by at least alpha times the first lead at each step. *)
Theorem odds_fall {k} (alpha b : R) (r theta : action k -> R) (a : action k) : 0 < alpha ->
  leader r b (softmax theta) a -> forall t c, c <> a ->
  preferences alpha r b theta t c - preferences alpha r b theta t a
  <= theta c - theta a - INR t * (alpha * lead r b (softmax theta) a c).
Proof.
  intros positive leads t; induction t as [|t fallen]; intros c other; [simpl; lra|].
  assert (ahead : lead r b (softmax theta) a c
                  <= expected_alternate r b (softmax (preferences alpha r b theta t)) a
                     - expected_alternate r b (softmax (preferences alpha r b theta t)) c).
  { apply lead_kept; [exact leads | exact other |]; intro j; destruct (Fin.eq_dec j a) as [->|others]; [lra|].
    specialize (fallen j others).
    assert (forward := lead_positive r (softmax theta) b a j (proj1 (softmax_interior theta (some_arm a))) leads others).
    assert (0 <= INR t * (alpha * lead r b (softmax theta) a j)); [|lra].
    apply Rmult_le_pos; [apply pos_INR | apply Rlt_le, Rmult_lt_0_compat; assumption]. }
  specialize (fallen c other); apply (Rmult_le_compat_l alpha) in ahead; [|lra].
  rewrite S_INR; simpl preferences; unfold expected_step at 1 2; lra.
Qed.

(** After a step the leader is still the leader. *)
Theorem leader_kept {k} (alpha b : R) (r theta : action k -> R) (a : action k) : 0 < alpha ->
  leader r b (softmax theta) a -> leader r b (softmax (expected_step alpha r b theta)) a.
Proof.
  intros positive leads; split; [apply leads|]; intros c other.
  assert (forward := lead_positive r (softmax theta) b a c (proj1 (softmax_interior theta (some_arm a))) leads other).
  enough (lead r b (softmax theta) a c
          <= expected_alternate r b (softmax (expected_step alpha r b theta)) a
             - expected_alternate r b (softmax (expected_step alpha r b theta)) c) by (unfold expected_alternate in *; lra).
  apply lead_kept; [exact leads | exact other |]; intro j; destruct (Fin.eq_dec j a) as [->|others]; [lra|].
  assert (fallen := odds_fall alpha b r theta a positive leads 1 j others); simpl in fallen.
  assert (ahead := lead_positive r (softmax theta) b a j (proj1 (softmax_interior theta (some_arm a))) leads others).
  assert (0 < alpha * lead r b (softmax theta) a j) by now apply Rmult_lt_0_compat.
  lra.
Qed.

(** ** The limit *)

(** b < r(a), a the one action with the largest pi_0(a) (r(a) - b): the policy converges to the corner of a, for every alpha > 0. *)
Theorem exact_basin {k} (alpha b : R) (r theta : action k -> R) (a : action k) : 0 < alpha ->
  leader r b (softmax theta) a -> forall c, Un_cv (fun t => softmax (preferences alpha r b theta t) c) (one_hot a c).
Proof.
  intros positive leads.
  pose (odds := fun t c => exp (preferences alpha r b theta t c - preferences alpha r b theta t a)).
  assert (odds_vanish : forall c, Un_cv (fun t => odds t c) (one_hot a c)).
  { intro c; unfold odds; destruct (Fin.eq_dec c a) as [->|other].
    - rewrite one_hot_same; apply limit_squeezed with (fun _ => 0); [intro t|apply limit_constant].
      unfold Rminus; rewrite Rplus_opp_r, exp_0, Rplus_opp_r, Rabs_R0; lra.
    - rewrite one_hot_other by auto.
      assert (forward := lead_positive r (softmax theta) b a c (proj1 (softmax_interior theta (some_arm a))) leads other).
      apply limit_squeezed with (fun t => exp (theta c - theta a - INR t * (alpha * lead r b (softmax theta) a c))).
      + intro t; rewrite Rminus_0_r, Rabs_pos_eq by apply Rlt_le, exp_pos.
        destruct (Rle_lt_or_eq_dec _ _ (odds_fall alpha b r theta a positive leads t c other)) as [less| ->];
          [apply Rlt_le, exp_increasing, less | apply Rle_refl].
      + now apply geometric_vanishes, Rmult_lt_0_compat. }
  assert (leader_wins : Un_cv (fun t => softmax (preferences alpha r b theta t) a) 1).
  { apply limit_squeezed with (fun t => ∑ c, odds t c - 1).
    - intro t; assert (inside := softmax_interior (preferences alpha r b theta t) (some_arm a)).
      assert (probability := proj1 inside a); assert (at_most := probability_le_1 _ a (interior_is_policy _ inside)).
      unfold odds; rewrite <- inverse_probability, Rabs_minus_sym, Rabs_pos_eq by lra.
      assert (square := Rle_0_sqr (softmax (preferences alpha r b theta t) a - 1)); unfold Rsqr in square.
      apply (Rmult_le_reg_l (softmax (preferences alpha r b theta t) a)); [exact probability|].
      rewrite !Rmult_minus_distr_l, Rinv_r by lra; lra.
    - replace 0 with (∑ c, one_hot a c - 1).
      + apply CV_minus; [now apply limit_sum | apply limit_constant].
      + rewrite (proj2 (one_hot_policy a)); ring. }
  intro c; replace (one_hot a c) with (one_hot a c * 1) by ring.
  apply limit_squeezed with (fun t => Rabs (odds t c * softmax (preferences alpha r b theta t) a - one_hot a c * 1)).
  - intro t; right; do 2 f_equal; unfold odds; rewrite <- softmax_ratio.
    assert (probability := proj1 (softmax_interior (preferences alpha r b theta t) (some_arm a)) a); field; lra.
  - intros eps eps_positive.
    destruct (CV_mult _ _ _ _ (odds_vanish c) leader_wins eps eps_positive) as [N close]; exists N; intros t late.
    specialize (close t late); unfold R_dist in *; now rewrite Rminus_0_r, Rabs_Rabsolu.
Qed.

(** No other reward above b < r(a): then a leads from every start, and the policy converges to its corner. *)
Corollary below_best_reaches_optimum {k} (alpha b : R) (r theta : action k -> R) (a : action k) : 0 < alpha ->
  b < r a -> (forall c, c <> a -> r c <= b) ->
  (forall c, Un_cv (fun t => softmax (preferences alpha r b theta t) c) (one_hot a c))
  /\ forall t c, c <> a ->
     softmax (preferences alpha r b theta t) c / softmax (preferences alpha r b theta t) a
     <= softmax theta c / softmax theta a * exp (- INR t * (alpha * (softmax theta a * (r a - b)))).
Proof.
  intros positive above below; assert (inside := softmax_interior theta (some_arm a)).
  assert (ahead : 0 < softmax theta a * (r a - b)) by (apply Rmult_lt_0_compat; [apply inside | lra]).
  assert (behind : forall c, c <> a -> softmax theta c * (r c - b) <= 0).
  { intros c other; specialize (below c other); assert (probability := proj1 inside c).
    assert (0 <= softmax theta c * (b - r c)) by (apply Rmult_le_pos; lra); lra. }
  assert (leads : leader r b (softmax theta) a) by (split; [exact above | intros c other; specialize (behind c other); lra]).
  split; [now apply exact_basin|]; intros t c other.
  assert (fallen := odds_fall alpha b r theta a positive leads t c other).
  unfold lead in fallen; rewrite Rmax_left in fallen by now apply behind.
  rewrite !softmax_ratio, <- exp_plus.
  destruct (Rle_lt_or_eq_dec _ _ fallen) as [less| ->].
  - left; apply exp_increasing; lra.
  - right; f_equal; lra.
Qed.
