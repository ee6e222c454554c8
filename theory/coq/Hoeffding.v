(** The bound on the moment generating function of a bounded variable (lemma 7.10 of Lafferty et al., Hoeffding's lemma). *)

From AltPG Require Export Expectation.

(** An expectation of a larger variable is not smaller. *)
Definition monotone {Omega} (E : expectation Omega) : Prop :=
  forall f g, integrable E f -> integrable E g -> (forall w, f w <= g w) -> mean E f <= mean E g.

Lemma finite_law_monotone {m Omega} (p : action m -> R) (w : action m -> Omega) (total : ∑ j, p j = 1) :
  (forall j, 0 <= p j) -> monotone (finite_law p w total).
Proof. intros nonnegative f g _ _ below; apply sum_le; intro j; apply Rmult_le_compat_l; auto. Qed.

Section TwoPoints.
  (** The variable that is 0 or h, and h with probability p. *)
  Context (p : R).
  Hypothesis probability : 0 <= p <= 1.

  Let q (t : R) := 1 - p + p * exp t.
  Let gap (t : R) := p * t + t * t * / 8 - ln (q t).
  Let slope (t : R) := p + t * / 4 - p * exp t * / q t.

  Lemma q_positive (t : R) : 0 < q t.
  Proof. unfold q; assert (top := exp_pos t); destruct (Rle_lt_or_eq_dec 0 p) as [more| <-]; [lra | | lra]; nra. Qed.

  Lemma q_slope (t : R) : derivable_pt_lim q t (p * exp t).
  Proof.
    replace (p * exp t) with (0 + (0 * exp t + p * exp t)) by ring.
    apply (derivable_pt_lim_plus (fun _ => 1 - p) (fun t => p * exp t)); [apply derivable_pt_lim_const|].
    apply (derivable_pt_lim_mult (fun _ => p) exp); [apply derivable_pt_lim_const | apply derivable_pt_lim_exp].
  Qed.

  Lemma gap_slope (t : R) : derivable_pt_lim gap t (slope t).
  Proof.
    assert (positive := q_positive t); unfold slope.
    replace (p + t * / 4 - p * exp t * / q t)
      with ((0 * t + p * 1) + ((1 * t + t * 1) * / 8 + t * t * 0) - / q t * (p * exp t)) by (field; lra).
    apply (derivable_pt_lim_minus (fun t => p * t + t * t * / 8) (fun t => ln (q t))).
    - apply (derivable_pt_lim_plus (fun t => p * t) (fun t => t * t * / 8)).
      + apply (derivable_pt_lim_mult (fun _ => p) (fun t => t)); [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
      + apply (derivable_pt_lim_mult (fun t => t * t) (fun _ => / 8)); [|apply derivable_pt_lim_const].
        apply (derivable_pt_lim_mult (fun t => t) (fun t => t)); apply derivable_pt_lim_id.
    - apply (derivable_pt_lim_comp q ln); [apply q_slope | now apply derivable_pt_lim_ln].
  Qed.

  (** The slope's own slope is 1/4 - s (1 - s) = (s - 1/2)^2 with s = p e^t / q. *)
  Lemma slope_slope (t : R) : derivable_pt_lim slope t (p * exp t * / q t - / 2)².
  Proof.
    assert (positive := q_positive t); unfold slope.
    replace ((p * exp t * / q t - / 2)²)
      with (0 + (1 * / 4 + t * 0) - (p * exp t * q t - p * exp t * (p * exp t)) / (q t)²) by (unfold Rsqr; field; lra).
    apply (derivable_pt_lim_minus (fun t => p + t * / 4) (fun t => p * exp t * / q t)).
    - apply (derivable_pt_lim_plus (fun _ => p) (fun t => t * / 4)); [apply derivable_pt_lim_const|].
      apply (derivable_pt_lim_mult (fun t => t) (fun _ => / 4)); [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
    - apply (derivable_pt_lim_div (fun t => p * exp t) q); [|apply q_slope | lra].
      replace (p * exp t) with (0 * exp t + p * exp t) at 1 by ring.
      apply (derivable_pt_lim_mult (fun _ => p) exp); [apply derivable_pt_lim_const | apply derivable_pt_lim_exp].
  Qed.

  Lemma start_0 : q 0 = 1 /\ gap 0 = 0 /\ slope 0 = 0.
  Proof.
    assert (one : q 0 = 1) by (unfold q; rewrite exp_0; ring).
    unfold gap, slope; rewrite one, ln_1, exp_0; repeat split; field.
  Qed.

  (** 1 - p + p e^h <= e^(p h + h^2/8). *)
  Lemma two_points (h : R) : 0 <= h -> 1 - p + p * exp h <= exp (p * h + h² / 8).
  Proof.
    destruct start_0 as [_ [gap_0 slope_0]]; intros [more| <-].
    - assert (slope_nonnegative : forall t, 0 < t -> 0 <= slope t).
      { intros t after; destruct (MVT_cor2 slope (fun t => (p * exp t * / q t - / 2)²) 0 t after) as [s [rise _]].
        - intros; apply slope_slope.
        - assert (square := Rle_0_sqr (p * exp s * / q s - / 2)); rewrite slope_0 in rise; nra. }
      destruct (MVT_cor2 gap slope 0 h more) as [t [rise between]]; [intros; apply gap_slope|].
      specialize (slope_nonnegative t ltac:(lra)); rewrite gap_0 in rise.
      assert (below : ln (q h) <= p * h + h² / 8) by (unfold gap, Rsqr in *; unfold Rdiv; nra).
      fold (q h); rewrite <- (exp_ln (q h)) by apply q_positive.
      destruct below as [less| ->]; [apply Rlt_le, exp_increasing, less | apply Rle_refl].
    - rewrite exp_0; replace (p * 0 + 0² / 8) with 0 by (unfold Rsqr; field); rewrite exp_0; lra.
  Qed.
End TwoPoints.

(** Between l and u the exponential lies below its chord. *)
Lemma exp_below_chord (l u y : R) : l <= y <= u -> exp y * (u - l) <= (u - y) * exp l + (y - l) * exp u.
Proof.
  intro between; assert (top := exp_pos y).
  assert (left : exp y * (1 + (l - y)) <= exp l).
  { replace (exp l) with (exp y * exp (l - y)) by (rewrite <- exp_plus; f_equal; ring).
    apply Rmult_le_compat_l; [lra | apply exp_ineq1_le]. }
  assert (right : exp y * (1 + (u - y)) <= exp u).
  { replace (exp u) with (exp y * exp (u - y)) by (rewrite <- exp_plus; f_equal; ring).
    apply Rmult_le_compat_l; [lra | apply exp_ineq1_le]. }
  apply (Rmult_le_compat_l (u - y)) in left; [|lra]; apply (Rmult_le_compat_l (y - l)) in right; [|lra]; lra.
Qed.

(** If l <= X <= u, then E[e^X] <= e^((u - l)^2/8 + E[X]). *)
Theorem hoeffding {Omega} (E : expectation Omega) (X : Omega -> R) (l u : R) : monotone E ->
  integrable E X -> integrable E (fun w => exp (X w)) -> (forall w, l <= X w <= u) ->
  mean E (fun w => exp (X w)) <= exp ((u - l)² / 8 + mean E X).
Proof.
  intros grows known exp_known bounded.
  assert (mean_l : l <= mean E X).
  { rewrite <- (mean_constant E l); apply grows; [apply integrable_constant | exact known | intro; apply bounded]. }
  assert (mean_u : mean E X <= u).
  { rewrite <- (mean_constant E u); apply grows; [exact known | apply integrable_constant | intro; apply bounded]. }
  destruct (Rle_lt_or_eq_dec l u) as [apart| <-]; [lra| |].
  - assert (chord : mean E (fun w => exp (X w) * (u - l)) <= mean E (fun w => (u * exp l - l * exp u) + (exp u - exp l) * X w)).
    { apply grows.
      - apply (integrable_same E (fun w => (u - l) * exp (X w))); [intro; ring | now apply integrable_scale].
      - now apply integrable_affine.
      - intro w; assert (below := exp_below_chord l u (X w) (bounded w)); lra. }
    rewrite (mean_affine E) in chord by exact known.
    rewrite (mean_same E _ (fun w => (u - l) * exp (X w))), mean_scale in chord by (exact exp_known || intro; ring).
    set (p := (mean E X - l) / (u - l)).
    assert (probability : 0 <= p <= 1).
    { unfold p; split; [apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]|].
      apply (Rmult_le_reg_r (u - l)); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
    assert (two := two_points p probability (u - l) ltac:(lra)).
    replace ((u - l)² / 8 + mean E X) with (l + (p * (u - l) + (u - l)² / 8)) by (unfold p; field; lra).
    rewrite exp_plus; apply (Rmult_le_compat_l (exp l)) in two; [|apply Rlt_le, exp_pos].
    apply Rle_trans with (2 := two); apply (Rmult_le_reg_l (u - l)); [lra|]; apply Rle_trans with (1 := chord); right.
    replace (exp u) with (exp l * exp (u - l)) by (rewrite <- exp_plus; f_equal; ring).
    unfold p; field; lra.
  - assert (all : forall w, exp (X w) = exp l) by (intro w; f_equal; specialize (bounded w); lra).
    rewrite (mean_same E _ (fun _ => exp l) all), mean_constant.
    replace ((l - l)² / 8 + mean E X) with l by (unfold Rsqr; lra); lra.
Qed.
