"""Published algorithms by name: what their papers print, with the numbers a loss may have in place
of the paper's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType

from altpg_verify.audit.references.advantages import Advantage
from altpg_verify.audit.references.recipes import NO_DIVERGENCE, OnLogits, Recipe, Reference
from altpg_verify.audit.references.sequences import FAR, Number
from altpg_verify.audit.references.surrogates import Piece


@dataclass(frozen=True)
class Numbers:
    """The numbers that may stand in an update: constants of its space by name, numbers of its
    source, and what papers and libraries use.

    Args:
        eps: what is added to a deviation.
        clips: (low, high) of a clip.
        betas: coefficients of a divergence.
        lengths: fixed lengths that tokens are divided by.
        caps: the bound of a dual clip, or of the weight between two engines.
        lams: λ of generalised advantages.
        baselines: constant baselines.
        gates: (up, down), the temperatures of a soft gate.
        reaches: how far a log-ratio may go in a geometric mean, down and up.
    """

    eps: tuple[Number, ...] = (0.0, 1e-4, 1e-6, 1e-8)
    clips: tuple[tuple[Number, Number], ...] = ((0.2, 0.2), (0.2, 0.28), (3e-4, 4e-4))
    betas: tuple[Number, ...] = (0.04,)
    lengths: tuple[Number, ...] = (1.0,)
    caps: tuple[Number, ...] = (3.0,)
    lams: tuple[Number, ...] = (0.95,)
    baselines: tuple[Number, ...] = ()
    gates: tuple[tuple[Number, Number], ...] = ((1.0, 1.05),)
    reaches: tuple[tuple[Number, Number], ...] = ((0.4, 0.4),)


USUAL = Numbers()
"""The numbers of papers and libraries."""


@dataclass(frozen=True)
class Algorithm:
    """A published algorithm.

    Args:
        name: as people write it.
        source: where it is printed.
        advantages, surrogates, aggregations, divergences: keys of the tables, each a choice the
        source leaves open or names.
        on_logits: for those that don't move along scores, the key of `OnLogits`.
        printed: the numbers of the source, where they aren't the usual ones.
    """

    name: str
    source: str
    advantages: tuple[str, ...] = ()
    surrogates: tuple[str, ...] = ("score",)
    aggregations: tuple[str, ...] = ("sequence sum",)
    divergences: tuple[str, ...] = ("none",)
    on_logits: str = ""
    printed: Numbers = USUAL

    @property
    def formula(self) -> Reference:
        """It as its source prints it."""
        return next(self.references(self.printed))

    def references(self, numbers: Numbers) -> Iterator[Reference]:
        """Every form of it with these numbers; the one of the source first, where the first numbers
        are the source's.
        """
        if self.on_logits:
            yield OnLogits(self.on_logits)
            return
        yield from combined(
            self.advantages, self.surrogates, self.aggregations, self.divergences, numbers
        )


def combined(
    advantages: Sequence[str],
    surrogates: Sequence[str],
    aggregations: Sequence[str],
    divergences: Sequence[str],
    numbers: Numbers,
) -> Iterator[Recipe]:
    """Every combination of these parts with every choice of their numbers."""
    for parts in product(
        [each for name in advantages for each in _advantages(name, numbers)],
        [each for name in surrogates for each in surrogates_of(name, numbers)],
        [each for name in aggregations for each in _aggregations(name, numbers)],
        [each for name in divergences for each in _divergences(name, numbers)],
    ):
        yield Recipe(*parts)


def _advantages(name: str, numbers: Numbers) -> Iterator[Advantage]:
    if name in (
        "standardised",
        "standardised inside",
        "whitened to go",
        "whitened to go inside",
        "whitened over the group mean",
    ):
        for ddof, eps in product((1.0, 0.0), numbers.eps):
            yield Advantage(name, (("eps", eps), ("ddof", ddof)))
    elif name == "generalised":
        for lam in numbers.lams:
            yield Advantage(name, (("lam", lam),))
    elif name == "v-trace":
        yield Advantage(name, (("rho", 1.0), ("c", 1.0)))
    elif name == "return less b":
        for b in numbers.baselines:
            yield Advantage(name, (("b", b),))
    else:
        yield Advantage(name)


def surrogates_of(name: str, numbers: Numbers) -> Iterator[Piece]:
    """A surrogate with every choice of its numbers, and with each bound of a clip left out."""
    if name in (
        "clip",
        "sequence clip",
        "sequence clip by token",
        "clipped weight",
        "product clip",
    ):
        pairs = dict.fromkeys(
            (
                *numbers.clips,
                *[(FAR, high) for _, high in numbers.clips],
                *[(low, FAR) for low, _ in numbers.clips],
            )
        )
        first = [(FAR, numbers.clips[0][1])] if name == "clipped weight" else []
        for low, high in dict.fromkeys((*first, *pairs)):
            yield Piece("surrogate", name, (("low", low), ("high", high)))
    elif name == "dual clip":
        for (low, high), c in product(numbers.clips, numbers.caps):
            yield Piece("surrogate", name, (("low", low), ("high", high), ("c", c)))
    elif name == "truncated weight":
        # in a first step no clip acts, so that one will do
        low, high = USUAL.clips[0]
        for cap in numbers.caps:
            yield Piece("surrogate", name, (("low", low), ("high", high), ("cap", cap)))
    elif name == "soft gate":
        for up, down in numbers.gates:
            yield Piece("surrogate", name, (("up", up), ("down", down)))
    elif name == "geometric mean":
        for low, high in numbers.reaches:
            yield Piece("surrogate", name, (("low", low), ("high", high)))
    else:
        yield Piece("surrogate", name)


def _aggregations(name: str, numbers: Numbers) -> Iterator[Piece]:
    if name == "fixed length":
        for length in numbers.lengths:
            yield Piece("aggregation", name, (("length", length),))
    else:
        yield Piece("aggregation", name)


def _divergences(name: str, numbers: Numbers) -> Iterator[Piece]:
    if name == "none":
        yield NO_DIVERGENCE
    else:
        for beta in numbers.betas:
            yield Piece("divergence", name, (("beta", beta),))


_CRITICS = ("less value", "one step", "generalised")
_NARROW = Numbers(clips=((3e-4, 4e-4),))
_STANDARDISED = ("standardised", "standardised inside")

ALGORITHMS: Mapping[str, Algorithm] = MappingProxyType(
    {
        "reinforce": Algorithm(
            "REINFORCE",
            "Williams 1992, Simple statistical gradient-following algorithms",
            ("return", "to go", "return less b"),
        ),
        "mean_baseline": Algorithm(
            "REINFORCE with the mean of the batch or group as baseline",
            "Williams 1992; the own sample is in the mean",
            ("own mean",),
            aggregations=("sequence sum",),
        ),
        "rloo": Algorithm(
            "RLOO",
            "Kool et al. 2019; Ahmadian et al. 2024, arXiv 2402.14740; with the clip in TRL's"
            " RLOOTrainer",
            ("leave one out",),
            ("score", "product clip"),
            divergences=("none", "k1 in the reward", "k1 of the sampled policy in the reward"),
        ),
        "grpo": Algorithm(
            "GRPO",
            "DeepSeekMath, arXiv 2402.03300, eq. 3 and 4",
            _STANDARDISED,
            ("clip",),
            ("sequence mean",),
            ("none", "k3 in the loss"),
        ),
        "grpo_tis": Algorithm(
            "GRPO with truncated importance sampling",
            "verl pull request 2953, token by token, with the cap of its example; GRPO as in arXiv"
            " 2402.03300",
            _STANDARDISED,
            ("truncated weight",),
            ("sequence mean",),
            ("none", "k3 in the loss"),
            printed=Numbers(caps=(10.0,)),
        ),
        "dr_grpo": Algorithm(
            "Dr. GRPO",
            "arXiv 2503.20783",
            ("own mean",),
            ("clip",),
            ("fixed length",),
            printed=Numbers(lengths=("L",)),
        ),
        "dapo": Algorithm(
            "DAPO",
            "arXiv 2503.14476, eq. 8 to 12",
            _STANDARDISED,
            ("clip",),
            ("token mean",),
            printed=Numbers(clips=((0.2, 0.28),)),
        ),
        "gspo": Algorithm(
            "GSPO",
            "arXiv 2507.18071, eq. 5 to 7",
            _STANDARDISED,
            ("sequence clip",),
            ("sequence mean",),
            printed=_NARROW,
        ),
        "gspo_token": Algorithm(
            "GSPO-token",
            "arXiv 2507.18071, eq. 13 and 14",
            _STANDARDISED,
            ("sequence clip by token",),
            ("sequence mean",),
            printed=_NARROW,
        ),
        "cispo": Algorithm(
            "CISPO",
            "MiniMax-M1, arXiv 2506.13585",
            _STANDARDISED,
            ("clipped weight",),
            ("token mean",),
        ),
        "sapo": Algorithm(
            "SAPO", "arXiv 2511.20347", _STANDARDISED, ("soft gate",), ("sequence mean",)
        ),
        "gmpo": Algorithm(
            "GMPO", "arXiv 2507.20673", _STANDARDISED, ("geometric mean",), ("sequence mean",)
        ),
        "reinforce_pp": Algorithm(
            "REINFORCE++",
            "arXiv 2501.03262",
            ("whitened to go", "whitened to go inside"),
            ("clip",),
            ("sequence mean", "token mean"),
            ("none", "k1 in the reward", "k1 of the sampled policy in the reward"),
        ),
        "reinforce_pp_baseline": Algorithm(
            "REINFORCE++ with the group's mean",
            "arXiv 2501.03262, appendix A",
            ("whitened over the group mean",),
            ("clip",),
            ("sequence mean", "token mean"),
            ("none", "k2 in the loss"),
        ),
        "remax": Algorithm("ReMax", "arXiv 2310.10505", ("less greedy",)),
        "opo": Algorithm("OPO", "arXiv 2505.23585", ("length-weighted mean",)),
        "gpg": Algorithm("GPG", "arXiv 2504.02546", ("active",), aggregations=("token mean",)),
        "ppo": Algorithm(
            "PPO",
            "arXiv 1707.06347, eq. 7",
            ("generalised", "less value", "one step", "exact", "return", "to go"),
            ("clip",),
            ("token mean",),
        ),
        "ppo_dual_clip": Algorithm(
            "PPO with dual clip",
            "arXiv 1912.09729, eq. 5",
            ("generalised", "less value", "one step", "exact", "return", "to go", *_STANDARDISED),
            ("dual clip",),
            ("token mean",),
        ),
        "a2c": Algorithm(
            "A2C / A3C", "arXiv 1602.01783", _CRITICS, aggregations=("sequence sum", "token mean")
        ),
        "vtrace": Algorithm(
            "V-trace actor-critic",
            "IMPALA, arXiv 1802.01561, section 4",
            ("v-trace",),
            aggregations=("sequence sum", "token mean"),
        ),
        "coma": Algorithm(
            "COMA",
            "arXiv 1705.08926 (one agent)",
            ("exact",),
            aggregations=("sequence sum", "token mean"),
        ),
        "neurd": Algorithm("NeuRD", "arXiv 1906.00190", on_logits="neurd"),
        "sampled_neurd": Algorithm(
            "sampled NeuRD",
            "arXiv 1906.00190, with one action a draw over its probability",
            on_logits="sampled neurd",
        ),
        "importance_sampling": Algorithm(
            "importance-weighted REINFORCE",
            "Precup et al. 2000",
            ("return", "to go"),
            ("ratio", "product ratio"),
        ),
    }
)
"""The registry: what `identify` names and `conforms_to` takes."""
