"""AdvFever: a claim is turned by one of 23 rules into another that it entails and that entails it."""

from collections.abc import Iterator, Sequence

from builder.language.entailment import ENTAILMENT_RULES
from builder.language.parser.parsing import parse
from builder.language.rewriting.single_steps import single_steps
from builder.methods.method import Method, Parameter
from builder.methods.searching import search_sentences
from builder.methods.whole_rewrites import sound_rewrites
from builder.models.resources import Resources
from builder.operations.dimension import Rewrite, TextToRewrite
from builder.searches.search import SearchRequest, SearchResult
from contract.schema.manifest import Setting

NAME = "advfever"
# So many drafts of a text are tried in one series: more than rules that commonly fit one text.
MOST_TRIES = 8


def write_series(texts: Sequence[TextToRewrite], resources: Resources) -> list[list[Rewrite]]:
    """Return for each text what single rules make of it, in random order."""
    return [sound_rewrites(text, _turned(text, resources.parser), resources) for text in texts]


def _turned(text: TextToRewrite, parser: str) -> Iterator[tuple[str, str]]:
    (before,) = parse([text.text], parser)
    # A frame fits any statement and would be most of the cases: it is for texts that no other rule fits.
    for is_frame in (False, True):
        rules = [rule for rule in ENTAILMENT_RULES.values() if (rule.kind == "frame") == is_frame]
        steps = single_steps(before, rules, text.draw, parser, most=MOST_TRIES)
        yield from ((step.parse.text, step.transformation) for step in steps)
        if steps:
            return


def search(request: SearchRequest, setting: Setting) -> SearchResult:
    """Return the rewrites of each bin: drawn ones, or those that hurt the source most."""
    return search_sentences(request, setting, write_series)


ADVFEVER = Method(
    name=NAME,
    summary="a claim in other words by one of 23 rules: “there exists a singer that goes by the name of …”",
    paper="Thorne and Vlachos 2019, Adversarial attacks against fact extraction and verification",
    dimension="syntax",
    settings=("rule", "score"),
    parameters=(Parameter(name="rules", paper=23, ours=len(ENTAILMENT_RULES)),),
    departures=(
        (
            "The paper's rules are regular expressions on claims of Wikipedia; ours are 23 of our own on"
            " parsed statements, of which six are transformations of `syntax`."
        ),
        (
            "Each result is parsed again and refused where its words are parsed otherwise; claims that"
            " deny or count are left alone."
        ),
        "Questions are not turned, so that tasks of questions have few cases.",
    ),
    function=search,
)
