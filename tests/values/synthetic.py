"""A labelled set made up here, so that everything runs without real data: two noisy scores, long evidence."""

from __future__ import annotations

import random
from typing import Any

from haversack.evaluation import Question


def questions(
    count: int = 60, candidates: int = 40, seed: int = 7, dataset: str = "made-up"
) -> list[Question]:
    """Return questions whose needed snippets score about two deviations higher; units differ by question."""
    generator = random.Random(seed)
    return [_question(generator, f"q{k}", candidates, dataset) for k in range(count)]


def record(question: Question) -> dict[str, Any]:
    """Return a question in the plain form of a file."""
    return {
        "id": question.name,
        "query": "made up",
        "gold": [str(i) for i, need in enumerate(question.needed) if need],
        "snippets": [
            {
                "id": str(i),
                "cost": cost,
                "scores": {name: column[i] for name, column in question.scores.items()},
            }
            for i, cost in enumerate(question.costs)
        ],
    }


def _question(generator: random.Random, name: str, candidates: int, dataset: str) -> Question:
    needed = [i < generator.choice((1, 2, 2, 3)) for i in range(candidates)]
    generator.shuffle(needed)
    scale, shift = generator.uniform(0.01, 100), generator.uniform(-50, 50)
    scores = {
        "dense": [shift + scale * generator.gauss(2.2 if need else 0, 1) for need in needed],
        "bm25": [max(0.0, generator.gauss(1.8 if need else 0, 1)) for need in needed],
    }
    costs = [int(generator.lognormvariate(5.0 if need else 4.4, 0.5)) + 10 for need in needed]
    return Question(name, scores, costs, needed, dataset=dataset)
