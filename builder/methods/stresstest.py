"""StressTest: one of three statements that are true of anything ends a text of a pair."""

import re
from collections.abc import Sequence

from builder.methods.method import Method, Parameter
from builder.methods.searching import search_sentences
from builder.models.resources import Resources
from builder.operations.dimension import Rewrite, TextToRewrite
from builder.searches.search import SearchRequest, SearchResult
from builder.values.associations import cores_of
from contract.schema.edits import Edit, words_of
from contract.schema.manifest import Setting

NAME = "stresstest"
TIMES = 5
STATEMENTS = (" and true is true", " and false is not true", " and true is true" * TIMES)
# The marks and spaces after the last word; a question is not gone on with.
_END = re.compile(r"[\s.!]*$")


def write_series(texts: Sequence[TextToRewrite], _resources: Resources) -> list[list[Rewrite]]:
    """Return each text of a pair with each statement before its full stop; nothing for other texts."""
    return [_series(text) for text in texts]


def _series(text: TextToRewrite) -> list[Rewrite]:
    end = _END.search(text.text)
    if (
        end is None
        or not text.is_of_pair
        or not words_of(text.text)
        or not text.text[: end.start()][-1].isalnum()
    ):
        return []
    place = end.start()
    usable = [said for said in STATEMENTS if text.avoid.isdisjoint(cores_of(said))]
    return [Rewrite((Edit(place, place, "", said),), NAME) for said in usable]


def search(request: SearchRequest, setting: Setting) -> SearchResult:
    """Return the texts of each bin: all of them, or those that hurt the source most."""
    return search_sentences(request, setting, write_series)


STRESSTEST = Method(
    name=NAME,
    summary="“and true is true”, “and false is not true” or the first five times ends a text of a pair",
    paper="Naik et al. 2018, Stress test evaluation for natural language inference, COLING",
    dimension="distraction",
    settings=("rule", "score"),
    parameters=(
        Parameter(name="statements", paper=3, ours=len(STATEMENTS)),
        Parameter(name="times of the third", paper=5, ours=TIMES),
    ),
    departures=(
        (
            "AdvGLUE ends the hypothesis of inference tasks with them; we end whichever text the task"
            " perturbs, unless it is a question or ends in a quotation."
        ),
        "Where the words of a statement are typical of a class of the task, it is left out.",
    ),
    function=search,
)
