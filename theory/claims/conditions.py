"""The rule for "as printed", applied to every given of a printed sentence.

A claim of the article is judged as literally printed. A given may stand with it only on one of the
`GROUNDS`. Where the printed words include a case in which they are false, the claim is refuted by
that case, and the condition that excludes it goes into the correction. So one gap can't be a
refutation in one place and a given in another: `GAPS` lists the cases that the article forgets more
than once, with all claims that include them.
"""

from __future__ import annotations

from collections.abc import Mapping

GROUNDS: Mapping[str, str] = {
    "printed": "the article says so, at the line that is named",
    "meaning": "which of several meanings a printed word has, where none of them makes another claim's refutation void",
    "exists": "the sentence says can, or in general: it claims that there is a case",
    "defined": "outside of it a printed expression has no value",
    "inherited": "an assumption of an earlier line of the same derivation, in its corrected form",
    "definition": "what a letter, an expression or a measure of the line stands for; it leaves no case out",
    "code": "what the counted code assumes where the article prints no detail; it says what would cost more otherwise",
    "place": "where the sentence stands",
}
"""Why a given may stand with a printed claim."""

GIVENS: Mapping[str, tuple[str, str]] = {
    "can: there is a bandit with a weight of the entropy, and one with a bonus for each action, for which it is": (
        "exists",
        "can be",
    ),
    "$b$ is an estimate of $r_pi$ that doesn't depend on the sampled $A$ and $R$": (
        "printed",
        "203",
    ),
    "an episodic MDP with finitely many states and actions, whose episodes end with probability one": (
        "printed",
        "97",
    ),
    "$b$ is any number that doesn't depend on the sampled $A$ and $R$": ("printed", "203"),
    "the best action is unique; the policy is interior and close to its corner; the expected gradient is followed": (
        "printed",
        "166",
    ),
    "$cal(I)_c != emptyset$": ("printed", "168"),
    "$sum_(a in cal(I)_c) pi(a) = 1$ with $cal(I)_c := {a | r(a) = c} != emptyset$": (
        "printed",
        "168",
    ),
    "$k >= 2$": ("defined", "the boundary of a simplex"),
    "footnote; the batch is an average of independent draws with one constant baseline; the variance of one draw, which is to be reduced, "
    "isn't zero": ("meaning", "reduce: there is some"),
    "footnote; the batch is an average of independent draws, with one constant baseline": (
        "meaning",
        "batch",
    ),
    "near a corner, and for its own action, which such a policy nearly always draws, as in the figure the text points to": (
        "printed",
        "153",
    ),
    "within: a probability vector, every entry positive": ("meaning", "within"),
    '$bold(theta)^((t+1)) = bold(theta)^((t)) + alpha EE[hat(bold(g))^"ALT" (A, R)]$ with a fixed $b$ and $alpha > 0$': (
        "printed",
        "192",
    ),
    "how small may depend on $pi_t$, as in the proof": ("printed", "816"),
    "the action with the maximum reward is one, as the singular says": ("printed", "200"),
    "footnote; there is a bandit and a starting policy for which it does": ("exists", "can"),
    "the optimal policy is one, as the article says: two rewards differ and the best action is unique": (
        "printed",
        "200",
    ),
    "in general: not on every MDP, policy and pair": ("exists", "in general they are not"),
    "$bold(theta) in RR^m$, $bold(x) in RR^n$ a differentiable function of $bold(theta)$, $bold(y)$ one of $bold(x)$; "
    "$[nabla_bold(theta) bold(x)]_(i j) = (partial x_j) \\/ (partial theta_i)$, an $m times n$ matrix": (
        "printed",
        "408",
    ),
    "counted: the entries that differ between the tables before and after, as every share is a probability times $n$": (
        "meaning",
        "time",
    ),
    "required for logarithmic time; every binary tree selects rightly": ("meaning", "required"),
    "balanced: of the smallest possible height": ("meaning", "balanced"),
    "with the loop and the difference corrected as below": ("inherited", "fix-upstream-loop"),
    "footnote; that the policy is saturated on $cal(I)_c$ is then an assumption on the policy": (
        "printed",
        "634",
    ),
    "$bold(eta)$ and $b$ don't depend on the action": ("printed", "662"),
    "$bold(eta)$ and $b$ don't depend on the action; elementwise variance and covariance": (
        "printed",
        "662",
    ),
    "$b != r_pi$": ("printed", "682"),
    "a softmax policy: every probability positive": ("printed", "714"),
    "fixed point: a policy that the update doesn't change": ("printed", "714"),
    "the variables are the $pi(a)$ and $kappa$; $b$ is fixed": ("printed", "720"),
    "$b$ lies strictly between the expected rewards, equal to none": ("printed", "711"),
    "$r(a) = b$ for at least one action; the closed simplex": ("printed", "711"),
    "$b < r(a)$ for all actions; $pi_t != pi^*$ is a softmax policy; $zeta(a) := alpha [r(a) - b]$, $alpha > 0$": (
        "printed",
        "766",
    ),
    "$b > r(a)$ for all actions; $pi_t != pi^*$ is a softmax policy; $zeta(a) := alpha [r(a) - b]$, $alpha > 0$": (
        "printed",
        "766",
    ),
    "$bold(r) = [1 space 2 space 3]^top$, $bold(pi) = [0.2 space 0.1 space 0.7]^top$, an optimistic baseline, taken as $b = 4$": (
        "printed",
        "823",
    ),
    "gradient flow from preferences $(M, 0, 0)$: excessive means exponential in $M$": (
        "exists",
        "can be vanishingly small",
    ),
    "a hypothesis of the authors; near a corner $c$ with $b != r(c)$; the ratio of the norms of the expected updates": (
        "printed",
        "631",
    ),
    "a hypothesis of the authors; optimistic baseline; time to leave the corner's neighbourhood along the expected update": (
        "printed",
        "829",
    ),
    "a constant baseline $b = delta$, above the noise: $epsilon <= s < delta$; $bold(r) = [0 space 0 space 1]^top$": (
        "printed",
        "841",
    ),
    "the example: $bold(r) = [0 space 0 space 1]^top$, noise $+1$, uniform policy, action $a_2$, no baseline": (
        "printed",
        "853",
    ),
    "$bold(r) = [0 space 0 space 1]^top$, noise of variance one": ("printed", "858"),
    "a draw of $a_0$ with negative noise; remain stuck: the step is smaller by the factor $1 - pi(a_0)$": (
        "exists",
        "there is a chance",
    ),
    "$b = 0$; a softmax policy": ("printed", "858"),
    "$bold(r) = [0 space 0 space 1]^top$, no reward noise": ("printed", "878"),
    "the corners of $a_0$ and $a_1$, where there is no reward signal; true $r_pi$ or $b = 0$": (
        "printed",
        "879",
    ),
    "$bold(r) = [1 space 2 space 3]^top$; near the corner of $a_0$, for a draw of $a_0$ with positive reward": (
        "printed",
        "882",
    ),
    "no ratio is exactly $1 + epsilon$ or $1 - epsilon$, where the objective has a kink": (
        "inherited",
        "ppo-gradient-with-condition",
    ),
    "$v_pi$ is the true value function; the episodes end with probability one": ("printed", "97"),
    "$[bold(theta)(s)]_a := bold(w)_a^top bold(x)(s)$, a softmax policy": ("printed", "995"),
    "$pi(a|s) = abs(theta_a)^p \\/ sum_(a') abs(theta_(a'))^p$, $p >= 1$, not all preferences zero": (
        "printed",
        "1067",
    ),
    "greedy for $abs(theta)$, with one largest entry": (
        "meaning",
        "greedy: the action that the escort policy itself takes most often",
    ),
    "every preference differs from zero": ("inherited", "escort-derivative"),
    "$pi$ is the policy before the step, for every action of the loop": ("meaning", "pi"),
    "$bold(r) = [0 space 0 space 1]^top$, noise of variance one, true $r_pi$; the sum of the elementwise variances": (
        "printed",
        "1141",
    ),
    "$bold(r) = [1 space 2 space 3]^top$, $epsilon tilde cal(N)(0, 1)$, $b$ fixed at $+4$ or $-4$": (
        "printed",
        "1193",
    ),
    "against the return of a saturated agent, which is small itself, it needn't be: see the claim that follows": (
        "printed",
        "1274",
    ),
    "can: at a corner of an MDP with random transitions and no noise in the rewards the alternate estimate has a positive variance, and "
    "the regular one has none": ("exists", "can"),
    "on the chain, whose transitions are deterministic, at interior policies alone": (
        "printed",
        "1297",
    ),
    "five states, start $s_3$, reward 1 only for leaving $s_5$ to the right, noise 1, $gamma = 0.9$, $b = +4$ in every state": (
        "printed",
        "1246",
    ),
    "attracting: nearby policies, in the limit of small stepsizes, as the theorem asks for sufficiently small ones; at "
    "$alpha = 0.545$ it no longer does": ("printed", "198"),
    "read as: the expected update of the chain with a fixed optimistic value has one attracting interior fixed point": (
        "exists",
        "might also hold",
    ),
    "the value without the cut, towards which the critic bootstraps; that a saturated policy has such a value isn't shown here": (
        "printed",
        "1480",
    ),
    "arithmetic alone: what the average is, and that runs are of these two kinds, is for the experiments to say": (
        "printed",
        "1492",
    ),
    "reward $-0.01$ a step, episodes cut at 1000 steps, no discount: every return lies between $-10$ and 0": (
        "printed",
        "1507",
    ),
    "as a function of $theta_a$, the other preferences fixed": ("printed", "1546"),
    "$bold(r) = [1 space 2 space 3]^top$; an optimum: a policy that no small change on the simplex improves": (
        "meaning",
        "optimum",
    ),
    "a draw with $R != b$": ("meaning", "remains: saturation doesn't take it away"),
    "asymptotically: as $b$ tends to $r_pi$; and for the running average of the article, $0 < beta < 2$, at a policy that no longer "
    "changes, in the mean over the draws that made the baseline": ("meaning", "asymptotically"),
    "$nu_pi (s) := sum_(k=0)^oo gamma^k PP(S_k = s)$": ("definition", "115"),
    "$EE_(nu_pi, pi) [f(S, A)]$ is $sum_s nu_pi (s) sum_a pi(a | s) f(s, a)$; $nu_pi$ need not sum to one": (
        "definition",
        "115",
    ),
    'in components: $[hat(bold(g))^"REG" (A, R)]_a = (R - b) (II(A = a) - pi(a))$': (
        "definition",
        "106",
    ),
    "to update a component is to compute its new value and write it, whether or not the value changes": (
        "meaning",
        "updates",
    ),
    "the total of all exponentiated preferences is stored and updated with each of them, as the range of the key needs it": (
        "code",
        "the tree stores the total of all values",
    ),
    "counted on a tree that is laid out like a heap in an array and stores the total of each sub-tree": (
        "code",
        "a tree in an array, with totals",
    ),
    "the agent uses the regular estimator and its policy is a corner": ("printed", "157"),
    'the alternate estimator is $bold(g)^"ALT" = (R - r_pi) bold(e)_A$, which the text gives that name': (
        "definition",
        "141",
    ),
    "$cal(A) = {a_0, a_1, a_2}$, $bold(r) = [0 space 0 space 1]^top$, $bold(pi) = [1 space 0 space 0]^top$, $R = r(A) + epsilon$": (
        "printed",
        "159",
    ),
    "the variance is elementwise": ("definition", "172"),
    "$sigma(a)^2 := VV[R | A = a]$": ("definition", "172"),
    "infinitely large in magnitude": ("meaning", "infinitely large"),
    "$bold(pi)(dot | s)$ the softmax of $bold(theta)(s)$, $bold(q)_pi (s, dot)$ any vector of action values": (
        "definition",
        "224",
    ),
    "$bold(e)_A$ is $bold(e)_a$, $a$ being what the sum runs over": ("definition", "129"),
    "$bold(e)_A$ is $bold(e)_a$": ("definition", "129"),
    "$EE$ sums over $nu_pi$, which need not sum to one, and over $pi$": ("definition", "117"),
    "$v_pi (s) = bold(pi)(dot | s)^top bold(q)_pi (s, dot)$": ("definition", "260"),
    "$bold(e)_A$, $S$ and $A$ are $bold(e)_a$, $s$ and $a$": ("definition", "129"),
    "the gradient of the policy's logarithm, as the formula says": (
        "meaning",
        "gradient of the policy: of its logarithm, as in the formula",
    ),
    "the entropy of the best policy for a bandit's $r_pi + tau cal(H)_pi$, which is the softmax of $bold(r) \\/ tau$": (
        "meaning",
        "encourages",
    ),
    "both with the policy's and the critic's stepsize": ("meaning", "parameter"),
    "each entry of the expected tabular update, in absolute value": ("meaning", "more aggressive"),
    "the effect of $b$ on the expected update: none for the regular estimator": (
        "meaning",
        "this effect",
    ),
    "$[nabla_bold(theta) bold(x)]_(i j) = (partial x_j) \\/ (partial theta_i)$, an $m times n$ matrix": (
        "definition",
        "416",
    ),
    "operations are counted: entries read or written, nodes visited": ("meaning", "cost"),
    '$"list"[i -> j]$ is passed as the range of its indices, not as a copy': (
        "code",
        "ranges of indices in the place of copied lists",
    ),
    "the middle index of an even list is $n / 2 - 1$ or $n / 2$": (
        "inherited",
        "build-middle-even",
    ),
    "a leaf in the comment is the empty tree, as in the book that the notation follows": (
        "meaning",
        "leaf",
    ),
    "the key is given: to draw it the total of all values is needed, which the printed tree doesn't store": (
        "printed",
        "577",
    ),
    "in the component of the corner's action; the others are zero": ("definition", "172"),
    "$sum_(a in cal(I)_c) pi(a) = 1$ with $cal(I)_c = {a | r(a) = c}$": ("printed", "644"),
    "the whole simplex counts as a face": ("meaning", "face"),
    "$r(a) = EE[R | a]$, $sigma(a)^2 = VV[R | a]$": ("definition", "653"),
    "$bold(pi) = bold(e)_c$; $bold(x)^2 := bold(x) dot.o bold(x)$; the variance is elementwise": (
        "printed",
        "669",
    ),
    "footnote; $nabla_bold(theta) cal(J) = bold(pi) dot.o (bold(r) - r_pi)$": ("definition", "701"),
    "footnote": ("place", "footnote"),
    '$bold(theta)^"new" = bold(theta)^"old" + alpha bold(g)$, $bold(theta) = bold(theta)^"old"$, $alpha > 0$': (
        "printed",
        "714",
    ),
    "$pi(a) dot (r(a) - b) = kappa$ for all $a in cal(A)$, and $sum_(a in cal(A)) pi(a) = 1$": (
        "printed",
        "722",
    ),
    "$b > r(a)$ for all actions or $b < r(a)$ for all actions": ("printed", "741"),
    "$zeta(a) := alpha [r(a) - b]$, $alpha > 0$": ("printed", "771"),
    "$pi(c)$ is $pi_t (c)$": ("definition", "799"),
    "$PP(X = c)$ is the probability of the action $c$": ("definition", "799"),
    "not tight: the divergence still falls at some stepsize above the bound": ("meaning", "tight"),
    "$bold(r) = [1 space 2 space 3]^top$, $bold(pi) = [0.2 space 0.1 space 0.7]^top$, any $b$ and $alpha$": (
        "printed",
        "823",
    ),
    "$bold(r) = [0 space 0 space 1]^top$, $bold(pi) = [1 space 0 space 0]^top$, $R = r(A) + epsilon$, $b = delta$": (
        "printed",
        "834",
    ),
    "the agent samples $A = a_0$ at each timestep": ("printed", "834"),
    "escape: from preferences $(M, 0, 0)$ another action is drawn, or is as likely, within $n > M \\/ (alpha (delta - s))$ draws": (
        "meaning",
        "escape",
    ),
    "natural logarithms": ("definition", "853"),
    "each with the true $r_pi$ and with $b = 0$": ("printed", "858"),
    "$bold(r) = [1 space 2 space 3]^top$, $b = -4$; the expected alternate update": (
        "printed",
        "895",
    ),
    '$"cond"$ is true where $h > 0$ and the ratio is below $1 + epsilon$, or $h < 0$ and the ratio is above $1 - epsilon$': (
        "printed",
        "935",
    ),
    '$tilde(h) (s, a) := h_(pi_"old") (s, a) II("cond"(s, a))$': ("definition", "937"),
    "expectations sum over $nu$, which need not sum to one": ("definition", "939"),
    "$d_pi (s, k) prop PP(S_k = s)$ over the states before the end of an episode": ("meaning", "d"),
    '$cal(J)_"TRPO" := sum_s nu_(pi_"old") (s) sum_a pi_bold(w) (a | s) q_(pi_"old") (s, a)$': (
        "definition",
        "977",
    ),
    "footnote; unbiased for the gradient of the surrogate objective": ("meaning", "unbiased"),
    "$[nabla_bold(W) lambda]_(i j) = (partial lambda) \\/ (partial w_(i j))$, one column for each action": (
        "definition",
        "995",
    ),
    "$[bold(theta)(s)]_a := bold(w)_a^top bold(x)(s)$": ("definition", "995"),
    '$q^"ent"_pi$ and $v^"ent"_pi$ sum the rewards $R_(t+1) + tau cal(H)_pi (S_t)$, the first one\'s entropy included': (
        "definition",
        "1045",
    ),
    "$cal(H)_pi (s) = - sum_a pi(a|s) log pi(a|s)$": ("definition", "1042"),
    "the quotient would be zero over zero": ("meaning", "cannot"),
    "$bold(r) = [1 space 2 space 3]^top$, $b = +4$; rounded to two decimals": ("printed", "1197"),
    "$bold(r) = [1 space 2 space 3]^top$, $b = +4$; rounded to two decimals from the exact $bold(pi)^*$": (
        "printed",
        "1197",
    ),
    "$G_t$ is known where it is first used, three lines above its calculation": ("printed", "1264"),
    "footnote; from $s_3$": ("printed", "1246"),
    "footnote; rounded to two digits": ("meaning", "two digits"),
    "footnote; expected values, against the scale of the plots, to which the text points: below a ten-thousandth of 0.81": (
        "printed",
        "1274",
    ),
    "$gamma = 0.9$, episodes cut at 100 steps": ("printed", "1272"),
    "up to the cut of episodes at 100 steps": ("printed", "1274"),
    "the lemma's formula with the immediate rewards, $b = +4$": ("printed", "1330"),
    "the lemma's formula with the immediate rewards, $b = +4$; rounded to two decimals": (
        "printed",
        "1330",
    ),
    "the policy of the two claims above; rounded to two decimals": ("printed", "1330"),
    "checked on this chain; a suggestion for MDPs in general can't be settled by it": (
        "exists",
        "might also hold",
    ),
    "the probability to reach the rewarding end from $s_3$, four actions against two": (
        "meaning",
        "explores poorly",
    ),
    "from $s_3$ with $gamma = 0.9$": ("printed", "1272"),
    "footnote; the critic bootstraps at the cut, the reward is -1 at each step and no end is ever reached": (
        "printed",
        "1402",
    ),
    "some runs between $-200$ and 0, the others at $-1000$, as the sentence says": (
        "printed",
        "1492",
    ),
    "rounded to a whole number": ("meaning", "= a whole number"),
    "finite preferences, real arithmetic": ("meaning", "any"),
    "the probability of one action as a function of its own preference, as in the figure": (
        "printed",
        "1546",
    ),
    "among directions of the same Euclidean length": ("meaning", "fastest"),
    "each entry is at most $abs(R - b) (1 - pi(A))$, and the corner's action has the probability $pi(A)$": (
        "meaning",
        "with a high probability",
    ),
}
"""Each given of a printed claim which isn't refuted: its ground, and the line, the printed word or
the claim behind it.
"""

GAPS: Mapping[str, tuple[str, ...]] = {
    "saturation on two actions of different reward": (
        "regular-estimator-small-at-saturation",
        "saturated-gradient-close-to-zero",
        "saturated-weights-not-updated",
        "regular-expectation-vanishes-near-boundary",
        "regular-variance-vanishes-near-boundary",
    ),
    "no reward noise": (
        "corner-alternate-variance-nonzero",
        "alternate-variance-nonzero-at-corners",
        "alternate-variance-nonzero-near-boundary",
    ),
    "equal rewards": (
        "propositions-need-boundary",
        "biased-update-not-a-gradient",
        "biased-update-no-potential",
        "mixed-partials-disagree",
        "gradient-zero-only-at-boundary",
        "optimum-at-infinity",
    ),
    "a pessimistic baseline": ("critic-bias-increases-entropy", "bias-makes-policy-more-uniform"),
    "the uniform policy": ("optimistic-moves-to-more-uniform", "optimistic-draws-flatten"),
    "a large stepsize": (
        "optimistic-flattens-suboptimal-corner",
        "larger-step-closer-to-optimum",
        "large-steps-no-concern",
    ),
    "a kink": ("escort-derivative-quotient", "escort-derivative", "ppo-gradient-with-condition"),
    "the way to the limit": ("true-gradient-reaches-optimal-corner",),
    "another start": (
        "escort-escapes-fast",
        "escort-better-convergence",
        "pessimistic-moves-off-center",
    ),
    "the fixed point itself": ("optimistic-attraction-stronger", "pi-star-close-to-optimal-corner"),
    "draws of other actions": ("no-noise-alternate-still-larger",),
    "negative rewards": ("discount-caps-return",),
    "the left side of an equation": ("neurd-printed-as-policy-gradient",),
}
"""Cases that the article's words include and its arguments don't, with the claims that are refuted
by them.
"""
