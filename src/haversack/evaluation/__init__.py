"""Measure what packing does on labelled questions, before adopting it.

>>> from haversack import evaluation
>>> question = evaluation.Question("q1", {"dense": [0.9, 0.2]}, costs=[300, 40], needed=[True, False])
>>> result = evaluation.evaluate([question], budgets=[320])
>>> result["methods"]["ours"]["recall"][0]["mean"]
1.0
"""

from haversack.evaluation.calibrated import evaluate_calibrated
from haversack.evaluation.plots import plot_calibration, plot_recall
from haversack.evaluation.questions import Question
from haversack.evaluation.reading import read
from haversack.evaluation.recall import BUDGETS, evaluate
from haversack.evaluation.report import table

__all__ = [
    "BUDGETS",
    "Question",
    "evaluate",
    "evaluate_calibrated",
    "plot_calibration",
    "plot_recall",
    "read",
    "table",
]
