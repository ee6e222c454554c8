(** The two estimators, and what they are on average with a baseline b. *)

From AltPG Require Export Step Expectation.

(** (e_A - eta)(R - b): the alternate estimator has eta = 0, the regular one eta = pi. *)
Definition estimate {k} (eta : action k -> R) (b : R) (A : action k) (reward : R) : action k -> R :=
  fun a => (reward - b) * (one_hot A a - eta a).

Definition alternate {k} (b : R) : action k -> R -> action k -> R := estimate (fun _ => 0) b.
Definition regular {k} (pi : action k -> R) (b : R) : action k -> R -> action k -> R := estimate pi b.

Section ExpectedUpdates.
  Context {k : nat} (law : action k -> expectation R) (r pi : action k -> R) (b : R).
  Hypothesis rewards : mean_rewards law r.
  Hypothesis total : ∑ a, pi a = 1.

  (** Eq. expected_gradient_bandit_updates, for any eta: pi(a) (r(a) - b) - eta(a) (r_pi - b). *)
  Theorem expected_update (eta : action k -> R) (a : action k) :
    expect pi law (fun A R => estimate eta b A R a) = pi a * (r a - b) - eta a * (value r pi - b).
  Proof.
    unfold expect; rewrite (sum_ext _ (fun c => one_hot a c * (pi c * (r c - b)) - eta a * (pi c * r c - pi c * b))).
    - rewrite sum_minus, sum_one_hot, sum_scale, sum_minus, (weighted_constant pi) by exact total; unfold value; ring.
    - intro c; destruct (reward_term law r b (one_hot c a - eta a) c rewards) as [_ mean_is]; unfold estimate.
      rewrite mean_is; unfold one_hot at 1 2; destruct (Fin.eq_dec c a), (Fin.eq_dec a c); subst; try contradiction; ring.
  Qed.

  (** E[g_ALT] = pi (r - b 1). *)
  Theorem expected_alternate_is_mean (a : action k) :
    expect pi law (fun A R => alternate b A R a) = expected_alternate r b pi a.
  Proof. unfold alternate, expected_alternate; rewrite expected_update; ring. Qed.

  (** E[g_REG] = pi (r - r_pi 1), whatever the baseline. *)
  Theorem expected_regular (a : action k) :
    expect pi law (fun A R => regular pi b A R a) = pi a * (r a - value r pi).
  Proof. unfold regular; rewrite expected_update; ring. Qed.
End ExpectedUpdates.
