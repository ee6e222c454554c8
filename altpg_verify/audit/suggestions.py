"""What somebody who used another name may have meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType

SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "adv": ("h", "rewards"),
        "advantage": ("h", "rewards"),
        "advantages": ("h", "rewards"),
        "baseline": ("b", "value"),
        "behaviour_logprobs": ("old_logprobs",),
        "dones": ("mask", "lengths"),
        "gamma": ("discount",),
        "log_pi": ("logprobs",),
        "log_prob": ("logprobs",),
        "log_probs": ("logprobs",),
        "logp": ("logprobs",),
        "logps": ("logprobs",),
        "obs": ("states",),
        "observations": ("states",),
        "old_log_prob": ("old_logprobs",),
        "old_log_probs": ("old_logprobs",),
        "old_logp": ("old_logprobs",),
        "params": ("theta",),
        "policy": ("pi",),
        "probs": ("pi",),
        "q_values": ("q",),
        "ref_log_probs": ("ref_logprobs",),
        "ref_logp": ("ref_logprobs",),
        "return_": ("rewards", "q"),
        "returns": ("rewards", "q"),
        "v_values": ("values",),
    }
)
"""Usual names elsewhere -> the names here, the nearest first."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`did you mean 'h' or 'rewards'?`; empty if nothing known is like it."""
    offered = list(known)
    meant = [each for each in SYNONYMS.get(name.lower(), ()) if each in offered]
    meant = meant or get_close_matches(name, offered, n=2, cutoff=0.7)
    # "kl" is short for what begins with it
    meant = meant or [each for each in offered if each.startswith(f"{name.lower()}_")][:2]
    return f"did you mean {' or '.join(map(repr, meant))}?" if meant else ""
