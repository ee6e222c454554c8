"""`docs/gallery.md`: every public case, with the code as it is in the gallery and what the tool
says of it.

python -m tests.gallery.page docs/gallery.md

The code is read from the gallery's own files and every verdict is computed; written here are only
the sentences beside them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from altpg_verify.audit.diagnosis import audit
from altpg_verify.audit.findings import Audit, Kind
from altpg_verify.audit.mending import cheap
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput
from tests.gallery.case import FIXTURES, GALLERY, Case
from tests.gallery.libraries import LIBRARIES

COMMAND = "python -m tests.gallery.page docs/gallery.md"

CASES = (
    Case(
        "p01_k1_kl_in_the_loss",
        "k1_in_the_loss",
        "This term keeps nobody near the reference: it adds noise and no pull. In the reward, not"
        " differentiated, it is right.",
    ),
    Case(
        "p02_k3_kl_in_the_loss",
        "k3_in_the_loss",
        "It does pull to the reference, but along the forward divergence KL(ref‖π), not the"
        " KL(π‖ref) that was meant; k2 is right.",
    ),
    Case(
        "p08_own_mean",
        "own_mean",
        "Both sides had a point: the direction is right, the length is (N-1)/N of what it should"
        " be, at every policy.",
    ),
    Case(
        "p09_leave_one_out_std",
        "leave_one_out_std",
        "The direction is kept, but the step is hundreds of thousands of times too long as soon as"
        " the others' rewards are all equal. The patch tames it, and the factor still depends on"
        " the policy.",
    ),
    Case(
        "p11_group_std",
        "grpo_on_three_arms",
        "With two levels of reward, dividing by the std only rescales each prompt; with three, the"
        " expected update is not a gradient field.",
    ),
    Case(
        "p13_mixed_groups_only",
        "mixed_groups_of_two_prompts",
        "Each prompt's direction is right, but dropping groups weighs a hard prompt several times"
        " heavier than the gradient does.",
        torch=False,
    ),
    Case(
        "p14_over_length",
        "over_length",
        "It ascends the reward per step, not the reward. With a baseline that moves with the policy"
        " it is not a gradient field.",
    ),
    Case(
        "p16_missing_discount",
        "without_discount",
        "Without γᵗ this is neither the discounted gradient nor the undiscounted one, nor any"
        " other; what practitioners do on purpose, and the tool says what it is.",
    ),
    Case(
        "p17_whole_return",
        "old",
        "Correct: the old form was unbiased, and only noisier. The reward-to-go that replaced it is"
        " biased when the discount is below 1.",
    ),
    Case(
        "p18_mean_logprob",
        "reward_on_the_way",
        "Right where all reward comes at the end and nothing is discounted, so that a test on one"
        " such task passes; elsewhere it ascends an average of the returns to go.",
    ),
    Case(
        "p20_standardised_returns",
        "standardised_returns",
        "The last decision never learns: standardising inside one episode cancels its own effect.",
    ),
    Case(
        "p23_advantage_not_detached",
        "advantage_not_detached",
        "The actor is right, as the baseline doesn't depend on the action; the critic is not: it"
        " settles far from the value. With a shared trunk the fault reaches the policy.",
    ),
    Case(
        "p24_ratio_is_one",
        "ratio_is_one",
        "Correct: the value of the ratio is 1, its gradient is the score. At least ten trackers"
        " hold a report of this right code.",
    ),
    Case(
        "p27_no_score_term",
        "no_score_term",
        "The sample was drawn outside the graph, so nothing is learned; a score term is missing.",
    ),
    Case(
        "p28_no_log_q_term",
        "without_the_term",
        "Correct: the term left out has mean zero. Leaving it out changes the variance, not the"
        " mean.",
    ),
    Case(
        "p30_broadcast",
        "broadcast",
        "Every advantage meets every log-probability. With raw rewards the gradient shrinks by N;"
        " with whitened ones nothing is learned.",
    ),
    Case(
        "p32_probabilities_as_logits",
        "scored_only",
        "Sampled from one policy and scored under another: not a gradient field. Used consistently"
        " it is unbiased, for a policy that can't become sure of anything.",
    ),
    Case(
        "p33_clamped_probability",
        "clamped",
        "Outside the clamp there is no gradient: a rare good action is never learned. An epsilon in"
        " the log bends the objective.",
    ),
    Case(
        "p39_entropy_sign",
        "wrong_sign",
        "The bonus became a penalty: exactly V - βH. The code that two other trackers doubted is"
        " right.",
    ),
    Case(
        "p41_probability_for_its_log",
        "probability_for_its_log",
        "It regularises by the sum of squared probabilities instead of the entropy, and ends at"
        " another policy.",
    ),
    Case(
        "p43_straight_through",
        "square_critic",
        "Exact for a critic that is linear in the one-hot; otherwise it ascends the critic of the"
        " mean, not the mean of the critic.",
    ),
    Case(
        "p44_neurd",
        "sampled_neurd",
        "It is no policy gradient and doesn't claim to be: up to shifts of the logits it ascends"
        " the dot product of rewards and logits. 1/π makes it samplable, at a variance thousands of"
        " times larger; a mean over illegal actions changes nothing for a table.",
    ),
    Case(
        "p45_action_baseline",
        "uncorrected",
        "Without its correction an action-dependent baseline changes the reward that is maximised;"
        " a perfect one leaves nothing to learn.",
        torch=False,
    ),
    Case(
        "p46_observation_resets_return",
        "reset_at_every_masked_token",
        "The token before the tool speaks is never told what came of it: 0 times its own gradient,"
        " where the later ones get all of theirs.",
        numpy=False,
    ),
    Case(
        "p47_local_denominator",
        "own_tokens",
        "With one row a worker it is the mean over tokens, which follows the reward per token; the"
        " number of all tokens is random as well, and a constant is right but for its size.",
        numpy=False,
    ),
    Case(
        "p48_mask_missing_in_update",
        "scored_without_the_mask",
        "The update pushes down an action that can't be taken, and follows no objective; with the"
        " mask in the score it is unbiased.",
        numpy=False,
    ),
    Case(
        "p49_summed_log_ratio",
        "summed_and_truncated",
        "Neither the sum nor the mean is unbiased once it is truncated; the sum without a cap is"
        " the right weight, and the mean is none.",
        numpy=False,
    ),
    Case(
        "p50_kl_without_gradient",
        "under_no_grad",
        "The term is printed with the loss and pulls nobody; differentiated, half the squared"
        " log-ratio of the whole sequence is right.",
        numpy=False,
    ),
    Case(
        "p51_value_of_padding",
        "padding_has_a_value",
        "What the critic says where nobody is decides how long rows are; masked first, the"
        " advantages are unbiased at any λ.",
        numpy=False,
    ),
    Case(
        "p52_padding_in_returns",
        "padding_pays",
        "Ending early is paid for by the padding that it brings; masked before they are summed, the"
        " rewards are the row's own.",
        numpy=False,
    ),
    *LIBRARIES,
    Case(
        "p100_tanh_twice",
        "corrected_twice",
        "It is paid extra for actions in the middle of their range: V + βH plus βE[log(1-a²)]. The"
        " correction at the action itself is none of a density at all.",
        numpy=False,
    ),
    Case(
        "p101_entropy_before_tanh",
        "entropy_of_the_gaussian",
        "It maximises the entropy of u, which grows while tanh u is pushed to its ends. Without a"
        " bonus the correction changes nothing, since the score of a given action doesn't have it.",
        numpy=False,
    ),
    Case(
        "p102_sample_for_rsample",
        "sampled",
        "No gradient goes through `sample`: nothing is learned, or with a bonus the bonus alone."
        " With `rsample` it is unbiased.",
        numpy=False,
    ),
    Case(
        "p103_clipped_action",
        "clipped_is_scored",
        "The clipped action isn't a sample of the density that scores it: a constant baseline"
        " doesn't cancel, and the field is no gradient. Scored as it was sampled, and clipped by"
        " the environment, it is unbiased.",
        numpy=False,
    ),
    Case(
        "p104_flow_density_scale",
        "without_the_timestep",
        "With a fixed scale only the length is wrong: Δt times the gradient, or one over the"
        " numbers of a sample.",
        numpy=False,
    ),
    Case(
        "p105_std_for_variance",
        "std_for_variance",
        "It scores a policy with the standard deviation √σ, which isn't the one that is sampled;"
        " right only where σ is 1.",
        numpy=False,
    ),
    Case(
        "p106_own_action_baseline",
        "own_action_only",
        "A baseline may depend on what the others did, not on what the agent did itself: it moves"
        " agents where nothing can be gained. The sum over the agent's actions is unbiased, and so"
        " are independent learners; a mean over agents is a factor.",
        numpy=False,
    ),
)


def source(module: str) -> str:
    """A gallery module's code, without its docstring."""
    lines = _text(module).splitlines()
    docstring = ast.parse("\n".join(lines)).body[0]
    return "\n".join(lines[docstring.end_lineno :]).strip()


def space(module: str) -> str:
    """The code by which a gallery module gets its spaces, and whatever else of the gallery it uses:
    each definition before its use.
    """
    found: dict[str, str] = {}
    for origin, name in _shared(ast.parse(_text(module))).values():
        _define(origin, name, found)
    text = ""
    for definition in found.values():
        apart = "\n" if "\n" not in definition + text.rsplit("\n\n\n", 1)[-1] else "\n\n\n"
        text += (apart if text else "") + definition
    return text


def _shared(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """What a module imports of the gallery and of its small spaces: name -> (module, name
    there).
    """
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        and node.module
        and (node.module == FIXTURES or node.module.startswith(GALLERY))
        for alias in node.names
    }


def _define(module: str, name: str, found: dict[str, str]) -> None:
    """Add the definition of a name, after those of the names it uses."""
    text = _text(module)
    tree = ast.parse(text)
    defined = {defines: node for node in tree.body for defines in _defines(node)}
    if name in found or name not in defined:
        return
    node = defined[name]
    shared = _shared(tree)
    for used in dict.fromkeys(each.id for each in ast.walk(node) if isinstance(each, ast.Name)):
        if used in shared:
            _define(*shared[used], found)
        elif used in defined and used != name:
            _define(module, used, found)
    found[name] = ast.get_source_segment(text, node) or ""


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [target.id for target in targets if isinstance(target, ast.Name)]


def explanation(case: Case) -> str:
    """Who met what: the docstring of the numpy module, or of the only one, less its code."""
    text = (
        ast.get_docstring(
            ast.parse(_text(f"{GALLERY}.{case.module}" if case.numpy else case.shown))
        )
        or ""
    )
    words = " ".join(text.removeprefix(f"{case.code}: ").split())
    return words[0].upper() + words[1:]


def outcomes(module: str) -> dict[str, Audit | BadInput]:
    """The audit of every update in a module, by its name; headlines with edits that mend them; of
    unusable ones, what is answered.
    """
    headlines = {case.headline for case in CASES if module.startswith(f"{GALLERY}.{case.module}")}
    found: dict[str, Audit | BadInput] = {}
    for name, each in vars(import_module(module)).items():
        if isinstance(each, Update):
            try:
                found[name] = audit(each, mend=name in headlines and cheap(each))
            except BadInput as error:
                found[name] = error
    return found


def section(case: Case, found: dict[str, Audit | BadInput]) -> str:
    """One case: who met what, the code, the output, what it means."""
    whole = found[case.headline]
    lines = [_without_rounding(str(whole)), ""]
    for name, each in found.items():
        if each is whole:
            continue
        lines.append(
            f"! {name}: {each}"
            if isinstance(each, BadInput)
            else f"{str(each)[0]} {name}: {each.sentence}"
        )
    command = f"python -m altpg_verify check {case.shown}:{case.headline}"
    return "\n".join(
        [
            f"## {case.code} {case.title}",
            "",
            explanation(case),
            "",
            *_shown_space(case),
            "```python",
            source(case.shown),
            "```",
            "",
            f"`{command}` tells (and of the others the first line):",
            "",
            "```text",
            "\n".join(lines).strip(),
            "```",
            "",
            case.means,
            "",
        ]
    )


def _shown_space(case: Case) -> list[str]:
    shared = space(case.shown)
    return ["Tried on:", "", "```python", shared, "```", "", "The code:", ""] if shared else []


def contents(verdicts: dict[str, str]) -> str:
    """The table of contents, with the verdict of each case's headline."""
    rows = [
        f"| [{case.code}](#{case.code.lower()}-{case.title.replace(' ', '-')}) | {case.title} |"
        f" `{case.headline}` | {verdicts[case.code]} |"
        for case in CASES
    ]
    return "\n".join(["| case | what | update | verdict |", "| --- | --- | --- | --- |", *rows])


def verdict(found: Audit | BadInput) -> str:
    """The verdict of an audit, as the table of contents has it."""
    if not isinstance(found, Audit):
        return "unusable"
    if found.kind is Kind.OTHER_OBJECTIVE:
        return f"{found.kind}: {found.follows}"
    return f"{found.kind}: times {found.scale}" if found.scale is not None else str(found.kind)


def opening(cases: Sequence[Case], verdicts: dict[str, str]) -> str:
    """What stands before the sections: what this is, and the table of contents."""
    return "\n".join(
        [
            "# Gallery",
            "",
            (
                f"{len(cases)} things that people who implement policy gradients met and reported"
                " in public, or losses as they stand"
            ),
            (
                "in libraries, each reduced to a space of a few outcomes, and what the tool says of"
                " them. A verdict is about the code on this"
            ),
            (
                "page, with the target it names; it says nothing about what a project's code does"
                " today, and many of these forms are chosen on"
            ),
            (
                "purpose. Several reports are about right code. Losses of libraries are transcribed"
                " and shortened, with repository, commit,"
            ),
            "file and licence (Apache-2.0 or MIT) beside them.",
            "",
            f"Made by `{COMMAND}` (with torch installed), from the files in",
            (
                "`tests/gallery/cases/`; versions in numpy and JAX lie beside the ones"
                " shown. Sizes of rounding errors are left out."
            ),
            "",
            contents(verdicts),
            "",
            "",
        ]
    )


def page(cases: Sequence[Case] = CASES) -> str:
    """The whole page.

    Raises:
        ModuleNotFoundError: torch isn't installed; most of the code is torch.
    """
    found = {case.code: outcomes(case.shown) for case in cases}
    verdicts = {case.code: verdict(found[case.code][case.headline]) for case in cases}
    return opening(cases, verdicts) + "\n".join(section(case, found[case.code]) for case in cases)


def _text(module: str) -> str:
    """A module's file; it isn't imported, for it may need torch."""
    found = find_spec(module)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"no module {module}")
    return Path(found.origin).read_text(encoding="utf-8")


def _without_rounding(text: str) -> str:
    """What rounding left over differs from machine to machine."""
    return re.sub(r"; largest deviation \S+", "", text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page to the named file, or to standard output."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        text = page()
    except ModuleNotFoundError as error:
        print(f"{error}; the page needs torch: pip install -e '.[torch]'", file=sys.stderr)
        return 2
    if words:
        Path(words[0]).write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
