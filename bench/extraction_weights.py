"""Learns the weights of `memory_app/nlp/extract/worth.py`, and what they are worth on conversations left out.

Two logistic regressions over the signals of each turn: was it noted, and does a question need it; the weights are the
sum of both, the second counting `FOR_QUESTIONS`, on a scale calibrated on left-out conversations so that the result
is the probability of being noted. Run as `python -m bench.extraction_weights`; needs the data of
`bench/extraction.py`.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.extraction import DATA, LIMITS, AnnotatedConversation, Pick, Session, figures, load_conversations
from memory_app.nlp.extract.extract import choose_turns
from memory_app.nlp.extract.worth import analyse_turns, signals

FOR_QUESTIONS = 0.5
REGULARISATION = 10.0
STEPS = 12
"""Newton's method settles in six or seven."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LearnedWeights:
    """A weight per signal and a bias; `scaled` puts them on the scale of a probability's logit."""

    weights: Array
    bias: float

    def scores(self, signals_of_turns: Array) -> Array:
        return signals_of_turns @ self.weights + self.bias

    def scaled(self, slope: float, offset: float) -> "LearnedWeights":
        return LearnedWeights(self.weights * slope, self.bias * slope + offset)


@dataclass(frozen=True)
class Examples:
    """One row a turn: its signals, whether it was noted, whether a question needs it, and of which conversation."""

    names: list[str]
    rows: Array
    noted: NDArray[np.bool_]
    needed: NDArray[np.bool_]
    conversation: NDArray[np.int_]


def examples(conversations: Sequence[AnnotatedConversation]) -> Examples:
    """Every turn of every session."""
    rows, noted, needed, owner = [], [], [], []
    for number, conversation in enumerate(conversations):
        asked = frozenset[str]().union(*conversation.questions)
        for session in conversation.sessions:
            rows += signals(analyse_turns(session.turns))
            noted += [turn in conversation.noted for turn in session.ids]
            needed += [turn in asked for turn in session.ids]
            owner += [number] * len(session.ids)
    names = list(rows[0])
    values = np.array([[row[name] for name in names] for row in rows])
    return Examples(names, values, np.array(noted), np.array(needed), np.array(owner))


def learn_weights(examples_of_turns: Examples, chosen: NDArray[np.bool_]) -> LearnedWeights:
    """The weights from the chosen rows."""
    rows = examples_of_turns.rows[chosen]
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    weights, bias = np.zeros(len(examples_of_turns.names)), 0.0
    for target, share in ((examples_of_turns.noted, 1.0), (examples_of_turns.needed, FOR_QUESTIONS)):
        fitted = logistic((rows - mean) / scale, target[chosen], REGULARISATION)
        weights = weights + share * fitted.weights / scale
        bias += share * fitted.bias
    return LearnedWeights(weights, bias - float(weights @ mean))


def logistic(rows: Array, target: NDArray[np.bool_], regularisation: float) -> LearnedWeights:
    """Logistic regression with a ridge on the weights, not on the bias, by Newton's method."""
    design = np.column_stack([rows, np.ones(len(rows))])
    ridge = np.diag([regularisation] * rows.shape[1] + [0.0])
    solution = np.zeros(design.shape[1])
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-design @ solution))
        gradient = design.T @ (expected - target) + ridge @ solution
        curvature = (design * (expected * (1 - expected))[:, None]).T @ design + ridge
        solution = solution - np.linalg.solve(curvature, gradient)
    return LearnedWeights(solution[:-1], float(solution[-1]))


def without_each(examples_of_turns: Examples) -> list[LearnedWeights]:
    """For each conversation the weights from all others."""
    return [
        learn_weights(examples_of_turns, examples_of_turns.conversation != number)
        for number in np.unique(examples_of_turns.conversation)
    ]


def calibrated_without_each(examples_of_turns: Examples) -> list[LearnedWeights]:
    """As `without_each`, calibrated on all that were left out."""
    without = without_each(examples_of_turns)
    slope, offset = _calibration(examples_of_turns, without)
    return [weights.scaled(slope, offset) for weights in without]


def _calibration(examples_of_turns: Examples, without: Sequence[LearnedWeights]) -> tuple[float, float]:
    scores = np.array(
        [without[n].scores(row) for n, row in zip(examples_of_turns.conversation, examples_of_turns.rows, strict=True)]
    )
    fitted = logistic(scores[:, None], examples_of_turns.noted, 0.0)
    return float(fitted.weights[0]), fitted.bias


def pick_without_own_conversation(examples_of_turns: Examples, conversations: Sequence[AnnotatedConversation]) -> Pick:
    """Picks the turns of each session with the weights from all other conversations."""
    without = calibrated_without_each(examples_of_turns)
    owner = {id(session): n for n, conversation in enumerate(conversations) for session in conversation.sessions}

    def pick(session: Session, limit: int) -> list[int]:
        turns = analyse_turns(session.turns)
        rows = np.array([[row[name] for name in examples_of_turns.names] for row in signals(turns)])
        worths = 1 / (1 + np.exp(-without[owner[id(session)]].scores(rows)))
        return [choice.position for choice in choose_turns(turns, worths.tolist(), limit)]

    return pick


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the figures on conversations left out, then the weights from all of them."""
    parser = argparse.ArgumentParser(description="learn the weights of the local extractor")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with locomo_dev.json (not shipped)")
    conversations = load_conversations(parser.parse_args(arguments).data / "locomo_dev.json")
    examples_of_turns = examples(conversations)
    pick = pick_without_own_conversation(examples_of_turns, conversations)
    for limit in LIMITS:
        got = figures(conversations, pick, limit)
        print(f"left out, at most {limit} a session: precision {got.precision:.3f}, coverage {got.coverage:.3f}")
    final = learn_weights(examples_of_turns, examples_of_turns.conversation >= 0).scaled(
        *_calibration(examples_of_turns, without_each(examples_of_turns))
    )
    print(f"BIAS = {final.bias:.3f}")
    for name, weight in sorted(
        zip(examples_of_turns.names, final.weights, strict=True), key=lambda pair: -abs(pair[1])
    ):
        print(f'    "{name}": {weight:.3f},')


if __name__ == "__main__":
    main()
