"""Shell completion for `altpg-verify`, written from the parser itself so that it names exactly what
there is.

altpg-verify completion bash >> ~/.bash_completion
altpg-verify completion zsh > "${fpath[1]}/_altpg-verify"
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

PROGRAM, FUNCTION = "altpg-verify", "_altpg_verify"


def completion(
    shell: str, parser: argparse.ArgumentParser, words: Mapping[str, Sequence[str]]
) -> str:
    """The script for a shell.

    Args:
        shell: "bash" or "zsh".
        parser: the whole command line's.
        words: metavar -> the words it may be, such as the names of the laws; other values are
            completed as files.
    """
    commands = _commands(parser)
    return _bash(commands, words) if shell == "bash" else _zsh(commands, words)


def _commands(parser: argparse.ArgumentParser) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """name -> (what it does, its parser)."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            return {name: (helps.get(name, ""), sub) for name, sub in action.choices.items()}
    return {}


def _values(action: argparse.Action, words: Mapping[str, Sequence[str]]) -> list[str]:
    """The words an option's value or an argument may be; none if it is free."""
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    return list(words.get(str(action.metavar), ()))


def _bash(
    commands: Mapping[str, tuple[str, argparse.ArgumentParser]], words: Mapping[str, Sequence[str]]
) -> str:
    lines = [
        f"{FUNCTION}() {{",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"',
        "    if [ $COMP_CWORD -eq 1 ]; then",
        f'        COMPREPLY=($(compgen -W "{" ".join(commands)}" -- "$cur"))',
        "        return",
        "    fi",
        '    case "${COMP_WORDS[1]} $prev" in',
    ]
    for name, (_, parser) in commands.items():
        for action in parser._actions:
            values = _values(action, words)
            if action.option_strings and values:
                patterns = "|".join(f'"{name} {option}"' for option in action.option_strings)
                lines.append(
                    f'        {patterns}) COMPREPLY=($(compgen -W "{" ".join(values)}" -- "$cur"));'
                    " return ;;"
                )
    lines += ["    esac", '    case "${COMP_WORDS[1]}" in']
    for name, (_, parser) in commands.items():
        options = [option for action in parser._actions for option in action.option_strings]
        values = [
            value
            for action in parser._actions
            if not action.option_strings
            for value in _values(action, words)
        ]
        lines.append(
            f'        {name}) if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W'
            f' "{" ".join(options)}" -- "$cur"))'
        )
        lines.append(
            f'            else COMPREPLY=($(compgen -W "{" ".join(values)}" -- "$cur") $(compgen -f'
            ' -- "$cur")); fi ;;'
        )
    return "\n".join(
        [*lines, "    esac", "}", f"complete -o filenames -F {FUNCTION} {PROGRAM}", ""]
    )


def _zsh(
    commands: Mapping[str, tuple[str, argparse.ArgumentParser]], words: Mapping[str, Sequence[str]]
) -> str:
    described = " ".join(_quoted(f"{name}:{summary}") for name, (summary, _) in commands.items())
    lines = [
        f"#compdef {PROGRAM}",
        f"{FUNCTION}() {{",
        f"    local -a commands=({described})",
        "    if (( CURRENT == 2 )); then",
        "        _describe command commands",
        "        return",
        "    fi",
        "    local command=$words[2]",
        "    shift words; (( CURRENT-- ))",
        "    case $command in",
    ]
    for name, (_, parser) in commands.items():
        lines.append(f"        {name}) _arguments \\")
        specs = [_quoted(spec) for action in parser._actions for spec in _specs(action, words)]
        lines += [f"            {spec} \\" for spec in specs[:-1]] + [f"            {specs[-1]} ;;"]
    return "\n".join([*lines, "    esac", "}", f'{FUNCTION} "$@"', ""])


def _specs(action: argparse.Action, words: Mapping[str, Sequence[str]]) -> list[str]:
    values = _values(action, words)
    what = f":{action.metavar or action.dest}:" + (f"({' '.join(values)})" if values else "_files")
    if not action.option_strings:
        return [f"*{what}"]
    summary = (action.help or "").replace("[", "(").replace("]", ")").replace(":", " -")
    return [
        f"{option}[{summary}]{what if action.nargs != 0 else ''}"
        for option in action.option_strings
    ]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
