"""One solver on one file, in a process of its own: `python -m altpg_verify.theory.smt.solve z3
FILE` prints sat, unsat or unknown.
"""

from __future__ import annotations

import sys
from pathlib import Path


def z3(text: str) -> str:
    """The answer of z3's solver for nonlinear real arithmetic: sat, unsat or unknown."""
    import z3 as solver_package

    solver = solver_package.SolverFor("QF_NRA")
    solver.from_string(text)
    return str(solver.check())


def cvc5(text: str) -> str:
    """The answer of cvc5, by cylindrical coverings; without them it may not come back.

    The last word of its commands counts: sat, unsat or unknown.
    """
    import cvc5 as solver_package

    solver = solver_package.Solver()
    solver.setOption("nl-cov", "true")
    parser = solver_package.InputParser(solver)
    parser.setStringInput(solver_package.InputLanguage.SMT_LIB_2_6, text, "query")
    symbols = parser.getSymbolManager()
    answer = "unknown"
    while not (command := parser.nextCommand()).isNull():
        # only check-sat prints; the last answer stands
        answer = str(command.invoke(solver, symbols)).strip() or answer
    return answer


SOLVERS = {"z3": z3, "cvc5": cvc5}

if __name__ == "__main__":
    print(SOLVERS[sys.argv[1]](Path(sys.argv[2]).read_text(encoding="utf-8")))
