(** Beyond the paper: two bounds on the stepsize that name rewards only, and so hold for all policies. *)

From AltPG Require Export StepsizeBound Optimistic.

(** k / max_a (b - r(a)) <= sum_a 1/(b - r(a)), so that such a stepsize is small enough. *)
Theorem stepsize_by_largest_gap {k} (b gap : R) (r : action k -> R) : optimistic r b -> (forall a, b - r a <= gap) ->
  INR k / gap <= ∑ a, / (b - r a).
Proof.
  intros above largest; unfold Rdiv; rewrite <- sum_constant; apply sum_le; intro a.
  specialize (above a); specialize (largest a); apply Rinv_le_contravar; lra.
Qed.

(** A finite family has a largest member. *)
Lemma largest_attained {k} (f : action k -> R) : (0 < k)%nat -> exists a, forall c, f c <= f a.
Proof.
  induction k as [|k IHk]; intro arms; [inversion arms|]; destruct k as [|k].
  - exists Fin.F1; intro c; pattern c; apply (Fin.caseS' c); [apply Rle_refl | intro d; now apply Fin.case0].
  - destruct (IHk (fun a => f (Fin.FS a)) (Nat.lt_0_succ k)) as [a most]; destruct (Rle_lt_dec (f Fin.F1) (f (Fin.FS a))).
    + exists (Fin.FS a); intro c; pattern c; apply (Fin.caseS' c); [assumption | exact most].
    + exists Fin.F1; intro c; pattern c; apply (Fin.caseS' c); [apply Rle_refl|].
      intro d; specialize (most d); lra.
Qed.

(** 0 < alpha < 8/(2b - r_1 - r_2), with r_1 and r_2 the smallest rewards: [two] is at least 2b - r(i) - r(j) for all i <> j. *)
Theorem optimistic_attracts_two_smallest {k} (alpha b two : R) (r theta : action k -> R) : 0 < alpha -> optimistic r b ->
  (forall i j, i <> j -> (b - r i) + (b - r j) <= two) -> alpha < 8 / two -> ~ softmax theta == pi_star r b ->
  KL (pi_star r b) (softmax (expected_step alpha r b theta)) < KL (pi_star r b) (softmax theta).
Proof.
  intros positive above pairs stepsize away; destruct (differ _ _ away) as [some _]; assert (arms := some_arm some).
  set (pi := softmax theta) in *; assert (inside : interior_policy pi) by now apply softmax_interior.
  assert (star := pi_star_interior r b arms (or_intror above)).
  rewrite (KL_ext _ _ _ (next_policy alpha b r theta)); fold pi.
  destruct (largest_attained (fun c => pi c * (r c - b)) arms) as [i most].
  destruct (largest_attained (fun c => - (pi c * (r c - b))) arms) as [j least]; cbv beta in most, least.
  set (U := pi i * (r i - b)) in *; set (L := pi j * (r j - b)) in *.
  assert (apart : L < U).
  { destruct (Rle_lt_or_eq_dec L U) as [less|same]; [apply most | exact less |]; exfalso.
    apply (constant_product_implies_fixed_point 1 b r pi Rlt_0_1 inside away (or_intror above)); exists U.
    intro a; specialize (most a); specialize (least a); unfold zeta; lra. }
  assert (different : i <> j) by (intro same; unfold L, U in apart; rewrite same in apart; lra).
  pose (d := fun c => b - r c); pose (u := fun c => pi c - pi_star r b c).
  assert (d_positive : forall c, 0 < d c) by (intro c; specialize (above c); unfold d; lra).
  (* kappa - sum pi^2 (r - b) is a sum of squares, of which those of i and j are enough *)
  assert (squares : kappa r b - ∑ c, pi c * (pi c * (r c - b)) = ∑ c, d c * (u c)²).
  { assert (distance := second_moment_distance 1 b r pi Rlt_0_1 inside (or_intror above)).
    rewrite harmonic_zeta in distance by (auto using Rlt_0_1).
    rewrite (sum_ext _ (fun c => pi c * (pi c * (r c - b)))) in distance by (intro; unfold zeta; ring).
    rewrite (sum_ext (fun c => d c * (u c)²) (fun c => -1 * (zeta 1 r b c * (pi c - pi_star r b c)²))), sum_scale
      by (intro; unfold d, u, zeta; ring).
    lra. }
  assert (enough_squares : d i * (u i)² + d j * (u j)² <= ∑ c, d c * (u c)²).
  { assert (term := fun c => Rmult_le_pos _ _ (Rlt_le _ _ (d_positive c)) (Rle_0_sqr (u c))).
    rewrite <- (sum_one_hot i (fun c => d c * (u c)²)), <- (sum_one_hot j (fun c => d c * (u c)²)), <- sum_plus.
    apply sum_le; intro c; specialize (term c); unfold one_hot.
    destruct (Fin.eq_dec i c), (Fin.eq_dec j c); lra || (exfalso; apply different; congruence). }
  assert (width : U - L = d j * u j - d i * u i).
  { assert (at_i := update_at_pi_star r b (or_intror above) i); assert (at_j := update_at_pi_star r b (or_intror above) j).
    unfold expected_alternate in at_i, at_j; unfold U, L, d, u; lra. }
  assert (cauchy : (U - L)² <= (d i + d j) * (d i * (u i)² + d j * (u j)²)).
  { rewrite width; specialize (d_positive i) as d_i; specialize (d_positive j) as d_j.
    assert (rest : 0 <= d i * d j * (u i + u j)²) by (apply Rmult_le_pos; [nra | apply Rle_0_sqr]); unfold Rsqr in *; lra. }
  apply (optimistic_attracts_paper_bound b r pi inside above alpha L U positive apart).
  - intro c; specialize (most c); specialize (least c); lra.
  - rewrite squares; apply Rlt_le_trans with (1 := stepsize).
    specialize (pairs i j different); fold (d i) (d j) in pairs.
    assert (gap : 0 < (U - L)²) by (apply Rlt_0_sqr; lra).
    specialize (d_positive i) as d_i; specialize (d_positive j) as d_j.
    apply (Rmult_le_reg_r (two * (U - L)²)); [apply Rmult_lt_0_compat; lra|].
    replace (8 / two * (two * (U - L)²)) with (8 * (U - L)²) by (field; lra).
    replace (8 / (U - L)² * (∑ c, d c * (u c)²) * (two * (U - L)²)) with (8 * (two * (∑ c, d c * (u c)²))) by (field; lra).
    apply Rmult_le_compat_l; [lra|]; apply Rle_trans with (1 := cauchy).
    apply Rmult_le_compat; [lra | | exact pairs | exact enough_squares].
    apply Rplus_le_le_0_compat; apply Rmult_le_pos; (lra || apply Rle_0_sqr).
Qed.
