(** What Coq itself says of the main theorems: each statement, and all the axioms that they rest on. *)

From AltPG Require Import Pessimistic GlobalAttraction Basins Cycles Gradient Variance StationaryMean LearnedBaseline
  UniformStepsize.

Set Printing Width 96.

(** Step and FixedPoints: the step, and lemma 2.1. *)

Check @preference_update.
Check @next_policy.
Check @fixed_point_equation.
Check @fixed_iff_constant.
Check @alternate_fixed_iff.
Check @case_1_signs.
Check @case_1_no_fixed_point.
Check @case_1_never_zero.
Check @case_1_no_kappa.
Check @case_2_kappa_zero.
Check @case_2_face.
Check @case_3_unique.
Check @kappa_not_0.
Check @pi_star_interior.
Check @update_at_pi_star.
Check @case_3_fixed_iff_pi_star.
Check @case_3_moves_by_kappa.
Check @value_at_pi_star.

(** Divergence, Pessimistic, Optimistic: theorem 1. *)

Check @KL_relation.
Check @KL_step.
Check @sum_of_squares.
Check @pessimistic_repels.
Check @optimistic_descent.
Check @optimistic_attracts.
Check @optimistic_attracts_small_stepsize.

(** GlobalAttraction, Basins, Cycles: where the expected steps lead. *)

Check @total_fall.
Check @global_attraction.
Check @odds_fall.
Check @leader_kept.
Check @exact_basin.
Check @below_best_reaches_optimum.
Check @cycle_mean.
Check @two_cycle.

(** Estimators, Gradient, Variance: the estimators' moments. *)

Check @expected_update.
Check @expected_alternate_is_mean.
Check @expected_regular.
Check @gradient.
Check @softmax_jacobian.
Check @regular_unbiased.
Check @alternate_bias.
Check @alternate_unbiased_iff.
Check @variance_of_estimate.
Check @corner_variance.
Check @corner_alternate_variance.
Check @corner_regular_variance.

(** StationaryMean, LearnedBaseline: the sampled updates. *)

Check @telescoping.
Check @stationary_mean.
Check @stationary_value.
Check @alternate_invariant.
Check @regular_invariant.

(** Jensen, Hoeffding, StepsizeBound: the paper's own steps. *)

Check @second_moment_exceeds_harmonic.
Check @second_moment_below_harmonic.
Check @cauchy_schwarz_pessimistic.
Check @constant_product_implies_fixed_point.
Check @jensen_step.
Check @log_term_exceeds_harmonic.
Check @hoeffding.
Check @log_term_upper_bound.
Check @descent_under_condition.
Check @stepsize_bound.
Check @stepsize_exists.
Check @optimistic_attracts_paper_bound.

(** UniformStepsize: bounds that hold for all policies. *)

Check @stepsize_by_largest_gap.
Check @optimistic_attracts_two_smallest.

(** Asked of all of them at once, because the answer takes Coq half a second. *)

Definition main_theorems :=
  (@preference_update, @next_policy, @fixed_point_equation, @fixed_iff_constant, @alternate_fixed_iff, @case_1_signs,
   @case_1_no_fixed_point, @case_1_never_zero, @case_1_no_kappa, @case_2_kappa_zero, @case_2_face, @case_3_unique,
   @kappa_not_0, @pi_star_interior, @update_at_pi_star, @case_3_fixed_iff_pi_star, @case_3_moves_by_kappa,
   @value_at_pi_star, @KL_relation, @KL_step, @sum_of_squares, @pessimistic_repels, @optimistic_descent,
   @optimistic_attracts, @optimistic_attracts_small_stepsize, @total_fall, @global_attraction, @odds_fall,
   @leader_kept, @exact_basin, @below_best_reaches_optimum, @cycle_mean, @two_cycle, @expected_update,
   @expected_alternate_is_mean, @expected_regular, @gradient, @softmax_jacobian, @regular_unbiased, @alternate_bias,
   @alternate_unbiased_iff, @variance_of_estimate, @corner_variance, @corner_alternate_variance,
   @corner_regular_variance, @telescoping, @stationary_mean, @stationary_value, @alternate_invariant,
   @regular_invariant, @second_moment_exceeds_harmonic, @second_moment_below_harmonic, @cauchy_schwarz_pessimistic,
   @constant_product_implies_fixed_point, @jensen_step, @log_term_exceeds_harmonic, @hoeffding,
   @log_term_upper_bound, @descent_under_condition, @stepsize_bound, @stepsize_exists,
   @optimistic_attracts_paper_bound, @stepsize_by_largest_gap, @optimistic_attracts_two_smallest).

Print Assumptions main_theorems.
