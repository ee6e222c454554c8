(** Beyond the paper: the stochastic alternate update with a fixed baseline.

    Whatever the stepsize and the reward noise, the expected policies add up to the movement of the preferences,
    and a stationary law of the policy has the mean pi* exactly. *)

From AltPG Require Export FixedPoints Estimators.

(** One step with the sampled action A and reward R. *)
Definition sampled_step {k} (alpha b : R) (theta : action k -> R) (A : action k) (reward : R) : action k -> R :=
  fun a => theta a + alpha * alternate b A reward a.

(** Draw w, with it the preferences theta(w); then A from their softmax; then R from the law of A. *)
Definition draw {k Omega} (arms : (0 < k)%nat) (law : action k -> expectation R)
  (E : expectation Omega) (theta : Omega -> action k -> R) : expectation (Omega * (action k * R)).
Proof.
  refine {|
    integrable := fun f => (forall w a, integrable (law a) (fun R => f (w, (a, R))))
                           /\ integrable E (fun w => expect (softmax (theta w)) law (fun A R => f (w, (A, R))));
    mean := fun f => mean E (fun w => expect (softmax (theta w)) law (fun A R => f (w, (A, R))))
  |}; unfold expect.
  - intros f g same [f_given f_known]; split.
    + intros w a; now apply (integrable_same _ (fun R => f (w, (a, R)))); [intro; apply same|].
    + apply (integrable_same E _ _) with (2 := f_known); intro w; apply sum_ext; intro c.
      f_equal; apply mean_same; intro; apply same.
  - intros f g same; apply mean_same; intro w; apply sum_ext; intro c; f_equal; apply mean_same; intro; apply same.
  - intro c; split; [intros; apply integrable_constant|].
    apply (integrable_same E (fun _ => c)); [|apply integrable_constant].
    intro w; rewrite (sum_ext _ (fun a => softmax (theta w) a * c)) by (intro; now rewrite mean_constant).
    symmetry; apply weighted_constant, softmax_interior, arms.
  - intro c; rewrite (mean_same E _ (fun _ => c)); [apply mean_constant|].
    intro w; rewrite (sum_ext _ (fun a => softmax (theta w) a * c)) by (intro; now rewrite mean_constant).
    apply weighted_constant, softmax_interior, arms.
  - intros f g [f_given f_known] [g_given g_known]; split; [intros; now apply integrable_plus|].
    apply (integrable_same E _ _) with (2 := integrable_plus E _ _ f_known g_known).
    intro w; rewrite <- sum_plus; apply sum_ext; intro; rewrite mean_plus by auto; ring.
  - intros f g [f_given f_known] [g_given g_known]; rewrite <- (mean_plus E) by assumption.
    apply mean_same; intro w; rewrite <- sum_plus; apply sum_ext; intro; rewrite mean_plus by auto; ring.
  - intros c f [f_given f_known]; split; [intros; now apply integrable_scale|].
    apply (integrable_same E _ _) with (2 := integrable_scale E c _ f_known).
    intro w; rewrite <- sum_scale; apply sum_ext; intro; rewrite mean_scale by auto; ring.
  - intros c f [f_given f_known]; rewrite <- (mean_scale E) by assumption.
    apply mean_same; intro w; rewrite <- sum_scale; apply sum_ext; intro; rewrite mean_scale by auto; ring.
Defined.

Section FixedBaseline.
  Context {k : nat} (arms : (0 < k)%nat) (law : action k -> expectation R) (r : action k -> R) (alpha b : R).
  Hypothesis rewards : mean_rewards law r.

  (** ** One step *)

  Section OneStep.
    Context {Omega : Type} (E : expectation Omega) (theta : Omega -> action k -> R).

    (** What was known before the draw keeps its mean. *)
    Lemma draw_before (f : Omega -> R) : integrable E f ->
      integrable (draw arms law E theta) (fun w => f (fst w)) /\ mean (draw arms law E theta) (fun w => f (fst w)) = mean E f.
    Proof.
      intro known.
      assert (same : forall w, f w = expect (softmax (theta w)) law (fun _ _ => f w)).
      { intro w; unfold expect; rewrite (sum_ext _ (fun a => softmax (theta w) a * f w)) by (intro; now rewrite mean_constant).
        symmetry; apply weighted_constant, softmax_interior, arms. }
      split; [split|].
      - intros; simpl; apply integrable_constant.
      - apply (integrable_same E f); [exact same | exact known].
      - symmetry; apply (mean_same E f); exact same.
    Qed.

    (** The sampled estimate has the mean E[pi(a)] (r(a) - b). *)
    Lemma draw_alternate (a : action k) : integrable E (fun w => softmax (theta w) a) ->
      integrable (draw arms law E theta) (fun w => alternate b (fst (snd w)) (snd (snd w)) a)
      /\ mean (draw arms law E theta) (fun w => alternate b (fst (snd w)) (snd (snd w)) a)
         = mean E (fun w => softmax (theta w) a) * (r a - b).
    Proof.
      intro known.
      assert (same : forall w, (r a - b) * softmax (theta w) a = expect (softmax (theta w)) law (fun A R => alternate b A R a)).
      { intro w; rewrite (expected_alternate_is_mean law r) by (exact rewards || apply softmax_interior, arms).
        unfold expected_alternate; ring. }
      split; [split|].
      - intros w c; exact (proj1 (reward_term law r b (one_hot c a - 0) c rewards)).
      - apply (integrable_same E _ _ same), integrable_scale, known.
      - rewrite Rmult_comm, <- (mean_scale E) by exact known; symmetry; apply (mean_same E _ _ same).
    Qed.
  End OneStep.

  (** ** Any horizon *)

  Section Horizon.
    Context {Omega : Type} (E : expectation Omega) (theta_0 : Omega -> action k -> R).

    (** The start and the T actions and rewards that follow it. *)
    Fixpoint path (T : nat) : Type := match T with O => Omega | S T => path T * (action k * R) end.

    Fixpoint theta (T : nat) : path T -> action k -> R :=
      match T with
      | O => theta_0
      | S T => fun w => sampled_step alpha b (theta T (fst w)) (fst (snd w)) (snd (snd w))
      end.

    Fixpoint start (T : nat) : path T -> Omega := match T with O => fun w => w | S T => fun w => start T (fst w) end.

    Fixpoint run (T : nat) : expectation (path T) :=
      match T with O => E | S T => draw arms law (run T) (theta T) end.

    (** sum_{t < T} E[pi_t(a)] (r(a) - b) = E[theta_a^(T) - theta_a^(0)] / alpha. *)
    Theorem telescoping (a : action k) (T : nat) : 0 < alpha ->
      (forall t, integrable (run t) (fun w => softmax (theta t w) a)) ->
      sum_until T (fun t => mean (run t) (fun w => softmax (theta t w) a) * (r a - b))
      = mean (run T) (fun w => theta T w a - theta_0 (start T w) a) / alpha.
    Proof.
      intros positive known.
      enough (moved : integrable (run T) (fun w => theta T w a - theta_0 (start T w) a)
                      /\ mean (run T) (fun w => theta T w a - theta_0 (start T w) a)
                         = alpha * sum_until T (fun t => mean (run t) (fun w => softmax (theta t w) a) * (r a - b))).
      { rewrite (proj2 moved); field; lra. }
      induction T as [|T [moved_known moved_is]].
      - assert (same : forall w, 0 = theta 0 w a - theta_0 (start 0 w) a) by (intro; simpl; ring); split.
        + apply (integrable_same _ _ _ same), integrable_constant.
        + rewrite <- (mean_same _ _ _ same), mean_constant; simpl; ring.
      - destruct (draw_before (run T) (theta T) _ moved_known) as [before_known before_is].
        destruct (draw_alternate (run T) (theta T) a (known T)) as [estimate_known estimate_is].
        assert (same : forall w : path T * (action k * R), (theta T (fst w) a - theta_0 (start T (fst w)) a)
                         + alpha * alternate b (fst (snd w)) (snd (snd w)) a = theta (S T) w a - theta_0 (start (S T) w) a).
        { intros [w [A reward]]; simpl; unfold sampled_step; ring. }
        change (path (S T)) with (path T * (action k * R))%type; change (run (S T)) with (draw arms law (run T) (theta T)); split.
        + apply (integrable_same _ _ _ same), integrable_plus; [exact before_known | now apply integrable_scale].
        + rewrite <- (mean_same _ _ _ same), mean_plus, mean_scale, before_is, estimate_is, moved_is;
            [simpl; ring | exact estimate_known | exact before_known | now apply integrable_scale].
    Qed.
  End Horizon.

  (** ** In stationarity *)

  Section Stationary.
    Context {Omega : Type} (E : expectation Omega) (theta : Omega -> action k -> R).

    (** The preferences after one sampled step. *)
    Definition after (w : Omega * (action k * R)) : action k -> R :=
      sampled_step alpha b (theta (fst w)) (fst (snd w)) (snd (snd w)).

    (** In a stationary law of the policy every function of it keeps its mean in a step; the log-ratios' means suffice. *)
    Definition log_ratios_stay : Prop := forall a c,
      mean (draw arms law E theta) (fun w => ln (softmax (after w) a / softmax (after w) c))
      = mean E (fun w => ln (softmax (theta w) a / softmax (theta w) c)).

    Hypothesis stays : log_ratios_stay.
    Hypothesis positive : 0 < alpha.
    Hypothesis policy_known : forall a, integrable E (fun w => softmax (theta w) a).
    Hypothesis log_ratio_known : forall a c, integrable E (fun w => ln (softmax (theta w) a / softmax (theta w) c)).

    Lemma stationary_equal (a c : action k) :
      mean E (fun w => softmax (theta w) a) * (r a - b) = mean E (fun w => softmax (theta w) c) * (r c - b).
    Proof.
      assert (kept := stays a c).
      destruct (draw_before E theta _ (log_ratio_known a c)) as [before_known before_is].
      destruct (draw_alternate E theta a (policy_known a)) as [a_known a_is].
      destruct (draw_alternate E theta c (policy_known c)) as [c_known c_is].
      assert (same : forall w : Omega * (action k * R), ln (softmax (theta (fst w)) a / softmax (theta (fst w)) c)
                       + (alpha * alternate b (fst (snd w)) (snd (snd w)) a + - alpha * alternate b (fst (snd w)) (snd (snd w)) c)
                       = ln (softmax (after w) a / softmax (after w) c)).
      { intro w; rewrite !log_ratio; unfold after, sampled_step; ring. }
      rewrite <- (mean_same _ _ _ same), !mean_plus, !mean_scale, before_is, a_is, c_is in kept
        by auto using integrable_plus, integrable_scale.
      apply (Rmult_eq_reg_l alpha); lra.
    Qed.

    (** E[pi] = pi* exactly. *)
    Theorem stationary_mean (a : action k) :
      pessimistic r b \/ optimistic r b -> mean E (fun w => softmax (theta w) a) = pi_star r b a.
    Proof.
      intro side; pose (average := fun c => mean E (fun w => softmax (theta w) c)).
      assert (total : ∑ c, average c = 1).
      { unfold average; rewrite <- (mean_sum E (fun c w => softmax (theta w) c)) by exact policy_known.
        rewrite (mean_same E _ (fun _ => 1)); [apply mean_constant | intro w; apply softmax_interior, arms]. }
      apply (case_3_unique r average b (average a * (r a - b)) side total).
      intro c; apply stationary_equal.
    Qed.

    (** So is the expected reward: the baseline less the harmonic mean of b - r. *)
    Corollary stationary_value : optimistic r b ->
      mean E (fun w => value r (softmax (theta w))) = b - INR k / (∑ a, / (b - r a)).
    Proof.
      intro above; rewrite <- (value_at_pi_star r b arms above); unfold value.
      rewrite (mean_sum E (fun a w => softmax (theta w) a * r a)).
      - apply sum_ext; intro a; rewrite <- (stationary_mean a (or_intror above)), Rmult_comm, <- (mean_scale E) by apply policy_known.
        apply mean_same; intro; apply Rmult_comm.
      - intro a; apply (integrable_same E (fun w => r a * softmax (theta w) a)); [intro; apply Rmult_comm|].
        apply integrable_scale, policy_known.
    Qed.
  End Stationary.
End FixedBaseline.
