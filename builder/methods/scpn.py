"""SCPN: a text is rewritten into the form of one of ten fixed templates."""

from collections.abc import Sequence

from builder.language.templates.templates import TEMPLATES, realise
from builder.methods.method import Method, Parameter
from builder.methods.searching import search_sentences
from builder.methods.whole_rewrites import sound_rewrites
from builder.models.resources import Resources
from builder.operations.dimension import Rewrite, TextToRewrite
from builder.searches.search import SearchRequest, SearchResult
from contract.schema.manifest import Setting

NAME = "scpn"


def write_series(texts: Sequence[TextToRewrite], resources: Resources) -> list[list[Rewrite]]:
    """Return for each text rewrites in the form of templates, in random order."""
    return [
        sound_rewrites(
            text,
            ((found.text, found.template) for found in realise(text.text, text.draw, resources.parser)),
            resources,
        )
        for text in texts
    ]


def search(request: SearchRequest, setting: Setting) -> SearchResult:
    """Return the rewrites of each bin: drawn ones, or those that hurt the source most."""
    return search_sentences(request, setting, write_series)


SCPN = Method(
    name=NAME,
    summary="the text in the form of one of ten templates: a cleft, a clause first, a question turned",
    paper="Iyyer et al. 2018, Adversarial example generation with syntactically controlled paraphrase"
    " networks, NAACL",
    dimension="syntax",
    settings=("rule", "score"),
    parameters=(Parameter(name="templates", paper=10, ours=len(TEMPLATES)),),
    departures=(
        (
            "The paper's network writes a paraphrase for a template; ours are written by the"
            " transformations of `syntax`, each result parsed again and refused where its words are"
            " parsed otherwise."
        ),
        (
            "The paper's templates are the tops of constituency trees, the ten most frequent of its"
            " corpus; ours are ten forms of sentences, since our trees have dependencies."
        ),
        "The paper parses with CoreNLP; we parse with the packaged parser.",
    ),
    function=search,
)
