(** Beyond the paper: over a cycle of the expected step the policy is pi* on average, whatever the stepsize. *)

From AltPG Require Export FixedPoints.

Section Cycle.
  Context {k : nat} (alpha b : R) (r theta : action k -> R).

  Local Notation policy_at t := (softmax (preferences alpha r b theta t)).

  (** theta^(T) - theta^(0) = alpha sum_{t < T} pi_t (r - b). *)
  Lemma preferences_telescope (T : nat) (a : action k) :
    preferences alpha r b theta T a - theta a = alpha * (sum_until T (fun t => policy_at t a) * (r a - b)).
  Proof.
    induction T as [|T moved]; [simpl; ring|].
    simpl; unfold expected_step at 1, expected_alternate; rewrite <- (Rplus_minus (theta a) (preferences alpha r b theta T a)) at 1.
    rewrite moved; ring.
  Qed.

  Lemma sum_until_total (T : nat) : (0 < k)%nat -> ∑ a, sum_until T (fun t => policy_at t a) = INR T.
  Proof.
    intro arms; induction T as [|T total]; [simpl; rewrite sum_constant; ring|].
    rewrite S_INR; simpl; rewrite sum_plus, total, (proj2 (softmax_interior _ arms)); reflexivity.
  Qed.

  (** If the policy is back after T > 0 steps, the mean of the T policies is pi*. *)
  Theorem cycle_mean (T : nat) (a : action k) : 0 < alpha -> pessimistic r b \/ optimistic r b -> (0 < T)%nat ->
    policy_at T == softmax theta -> sum_until T (fun t => policy_at t a) / INR T = pi_star r b a.
  Proof.
    intros positive side some back; assert (steps := lt_0_INR T some).
    assert (equal : forall c, sum_until T (fun t => policy_at t c) * (r c - b) = sum_until T (fun t => policy_at t a) * (r a - b)).
    { intro c; apply (Rmult_eq_reg_l alpha); [|lra]; rewrite <- !preferences_telescope.
      assert (odds := log_ratio (preferences alpha r b theta T) c a); rewrite !back, log_ratio in odds; lra. }
    apply (case_3_unique r (fun c => sum_until T (fun t => policy_at t c) / INR T) b
             (sum_until T (fun t => policy_at t a) * (r a - b) / INR T) side).
    - rewrite sum_divide, sum_until_total by apply (some_arm a); field; lra.
    - intro c; rewrite <- (equal c); field; lra.
  Qed.

  (** A cycle of two policies has pi* half-way. *)
  Corollary two_cycle (a : action k) : 0 < alpha -> pessimistic r b \/ optimistic r b ->
    policy_at 2 == softmax theta -> softmax theta a + policy_at 1 a = 2 * pi_star r b a.
  Proof.
    intros positive side back; rewrite <- (cycle_mean 2 a positive side Nat.lt_0_2 back); simpl; field.
  Qed.
End Cycle.
