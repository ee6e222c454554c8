(** Beyond the paper: with an optimistic baseline and alpha <= sum_a 1/(b - r(a)) the policy converges to pi* from everywhere. *)

From AltPG Require Export Optimistic Limits.

(** Gibbs' inequality. *)
Lemma KL_nonnegative {k} (p q : action k -> R) : interior_policy p -> interior_policy q -> 0 <= KL p q.
Proof.
  intros [p_positive p_total] [q_positive q_total].
  apply Rle_trans with (∑ a, (p a - q a)); [rewrite sum_minus; lra|].
  apply sum_le; intro a; specialize (p_positive a); specialize (q_positive a).
  assert (ratio : 0 < q a / p a) by now apply Rdiv_lt_0_compat.
  assert (tangent := exp_ineq1_le (ln (q a / p a))); rewrite exp_ln in tangent by exact ratio.
  replace (p a / q a) with (/ (q a / p a)) by (field; lra); rewrite ln_Rinv by exact ratio.
  apply (Rmult_le_compat_l (p a)) in tangent; [|lra].
  replace (p a * (q a / p a)) with (q a) in tangent by (field; lra); lra.
Qed.

Section Optimistic.
  Context {k : nat} (alpha b : R) (r theta : action k -> R).
  Hypothesis arms : (0 < k)%nat.
  Hypothesis positive : 0 < alpha.
  Hypothesis above : optimistic r b.
  Hypothesis stepsize : alpha <= ∑ a, / (b - r a).

  Local Notation policy_at t := (softmax (preferences alpha r b theta t)).

  (** All that the divergence falls by, over any horizon, is at most what it was. *)
  Theorem total_fall (T : nat) :
    KL (pi_star r b) (policy_at T) <= KL (pi_star r b) (softmax theta)
    /\ sum_f_R0 (fun t => fall alpha b r (policy_at t)) T <= KL (pi_star r b) (softmax theta).
  Proof.
    assert (star := pi_star_interior r b arms (or_intror above)).
    assert (descent := fun t => optimistic_descent alpha b r (preferences alpha r b theta t) arms positive above stepsize).
    enough (kept : forall T, sum_f_R0 (fun t => fall alpha b r (policy_at t)) T + KL (pi_star r b) (policy_at (S T))
                  <= KL (pi_star r b) (softmax theta)).
    { split.
      - destruct T as [|T]; [apply Rle_refl|]; specialize (kept T).
        enough (0 <= sum_f_R0 (fun t => fall alpha b r (policy_at t)) T) by lra; clear kept.
        apply cond_pos_sum; intro t; unfold fall; apply sum_nonnegative; intro c; specialize (above c).
        assert (0 < alpha * (b - r c)) by (apply Rmult_lt_0_compat; lra).
        apply Rmult_le_pos; [apply Rmult_le_pos; [lra | apply Rle_0_sqr] | apply Rlt_le, Rinv_0_lt_compat, Rlt_0_sqr; lra].
      - specialize (kept T); assert (left := KL_nonnegative (pi_star r b) (policy_at (S T)) star (softmax_interior _ arms)); lra. }
    clear T; intro T; induction T as [|T kept]; [specialize (descent O) | specialize (descent (S T))]; simpl in *; lra.
  Qed.

  (** pi_t converges to pi*, whatever the start. *)
  Theorem global_attraction (a : action k) : Un_cv (fun t => policy_at t a) (pi_star r b a).
  Proof.
    assert (star := pi_star_interior r b arms (or_intror above)).
    assert (size_positive : forall c, 0 < alpha * (b - r c)) by (intro c; specialize (above c); apply Rmult_lt_0_compat; lra).
    assert (width : forall c, 0 < / (2 + alpha * (b - r c))²).
    { intro c; specialize (size_positive c); apply Rinv_0_lt_compat, Rlt_0_sqr; lra. }
    pose (c := alpha * (b - r a) / (2 + alpha * (b - r a))²).
    assert (vanishes : Un_cv (fun t => policy_at t a - pi_star r b a) 0).
    { apply (vanishes_by_descent _ (fun t => KL (pi_star r b) (policy_at t)) c).
      - apply Rmult_lt_0_compat; [apply size_positive | apply width].
      - intro t; apply KL_nonnegative; [exact star | apply softmax_interior, arms].
      - intro t; assert (descent := optimistic_descent alpha b r (preferences alpha r b theta t) arms positive above stepsize).
        apply Rle_trans with (fall alpha b r (policy_at t)); [|simpl preferences; lra].
        replace (c * (policy_at t a - pi_star r b a)²)
          with (alpha * (b - r a) * (policy_at t a - pi_star r b a)² / (2 + alpha * (b - r a))²) by (unfold c, Rdiv; ring).
        apply (term_le_sum (fun j => alpha * (b - r j) * (policy_at t j - pi_star r b j)² / (2 + alpha * (b - r j))²)); intro j.
        apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rlt_le, size_positive | apply Rle_0_sqr] | apply Rlt_le, width]. }
    intros eps eps_positive; destruct (vanishes eps eps_positive) as [N close]; exists N; intros t late.
    specialize (close t late); unfold R_dist in *; now rewrite Rminus_0_r in close.
  Qed.
End Optimistic.
