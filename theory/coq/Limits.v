(** Limits of sequences, as far as the basins need them. *)

From AltPG Require Export FiniteSums.

Lemma limit_squeezed (u v : nat -> R) (l : R) : (forall t, Rabs (u t - l) <= v t) -> Un_cv v 0 -> Un_cv u l.
Proof.
  intros near vanishes eps positive; destruct (vanishes eps positive) as [N close]; exists N; intros t late.
  specialize (close t late); specialize (near t); unfold R_dist in *; rewrite Rminus_0_r in close.
  assert (v t <= Rabs (v t)) by apply Rle_abs; lra.
Qed.

Lemma limit_constant (l : R) : Un_cv (fun _ => l) l.
Proof. intros eps positive; exists O; intros; unfold R_dist; rewrite Rminus_diag_eq, Rabs_R0; auto. Qed.

Lemma limit_sum {k} (u : nat -> action k -> R) (l : action k -> R) :
  (forall a, Un_cv (fun t => u t a) (l a)) -> Un_cv (fun t => ∑ a, u t a) (∑ a, l a).
Proof.
  induction k as [|k IHk]; intro each; simpl; [apply limit_constant|].
  apply CV_plus; [apply each | apply (IHk (fun t a => u t (Fin.FS a)) (fun a => l (Fin.FS a))); intro; apply each].
Qed.

Lemma exp_power (y : R) (t : nat) : exp y ^ t = exp (INR t * y).
Proof.
  induction t as [|t IHt]; [simpl; now rewrite Rmult_0_l, exp_0|].
  rewrite S_INR; simpl pow; rewrite IHt, <- exp_plus; f_equal; ring.
Qed.

(** A geometric sequence e^(d - t rate) vanishes. *)
Lemma geometric_vanishes (d rate : R) : 0 < rate -> Un_cv (fun t => exp (d - INR t * rate)) 0.
Proof.
  intros positive eps eps_positive; assert (start := exp_pos d).
  destruct (pow_lt_1_zero (exp (- rate))) with (y := eps / exp d) as [N small].
  - rewrite Rabs_pos_eq by apply Rlt_le, exp_pos; rewrite <- exp_0; apply exp_increasing; lra.
  - now apply Rdiv_lt_0_compat.
  - exists N; intros t late; specialize (small t late); unfold R_dist; rewrite Rminus_0_r.
    replace (exp (d - INR t * rate)) with (exp d * exp (- rate) ^ t).
    + rewrite Rabs_mult, (Rabs_pos_eq (exp d)) by lra.
      apply (Rmult_lt_compat_l (exp d)) in small; [|exact start].
      replace (exp d * (eps / exp d)) with eps in small by (field; lra); exact small.
    + rewrite exp_power, <- exp_plus; f_equal; ring.
Qed.

(** A sequence whose square, times a positive constant, is at most the steps of a falling sequence of nonnegative numbers. *)
Lemma vanishes_by_descent (u v : nat -> R) (c : R) : 0 < c -> (forall t, 0 <= v t) ->
  (forall t, c * (u t)² <= v t - v (S t)) -> Un_cv u 0.
Proof.
  intros positive nonnegative steps.
  assert (falls : Un_decreasing v).
  { intro t; specialize (steps t); assert (0 <= c * (u t)²) by (apply Rmult_le_pos; [lra | apply Rle_0_sqr]); lra. }
  assert (below : has_lb v).
  { exists 0; intros y [t ->]; unfold opp_seq; specialize (nonnegative t); lra. }
  destruct (decreasing_cv v falls below) as [l converges]; intros eps eps_positive.
  assert (target : 0 < c * eps² / 2) by (assert (0 < eps²) by (apply Rlt_0_sqr; lra); nra).
  destruct (converges _ target) as [N close]; exists N; intros t late.
  assert (now := close t late); assert (later := close (S t) (Nat.le_trans _ _ _ late (Nat.le_succ_diag_r t))).
  unfold R_dist in *; rewrite Rminus_0_r; apply Rabs_def2 in now; apply Rabs_def2 in later.
  rewrite <- (Rabs_pos_eq eps) by lra; apply Rsqr_lt_abs_0, (Rmult_lt_reg_l c); [exact positive|].
  specialize (steps t); lra.
Qed.
