"""How the parser cuts text: as spaCy does, and treebank-style text ("is n't") into the same pieces."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language

# What stands alone in treebank-style text, and its normal form.
TREEBANK_PIECES = {
    "n't": "not",
    "'ve": "have",
    "'re": "are",
    "'ll": "will",
    "'m": "am",
    "'d": "'d",
    "'s": "'s",
    "ca": "can",
    "wo": "will",
    "``": '"',
    "''": '"',
    "`": "'",
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
}


def add_treebank_pieces(nlp: "Language") -> None:
    """Make a pipeline read what stands between spaces in treebank-style text as one piece."""
    tokenizer: Any = nlp.tokenizer
    for piece, norm in TREEBANK_PIECES.items():
        for form in dict.fromkeys((piece, piece.upper(), piece.capitalize())):
            tokenizer.add_special_case(form, [{"ORTH": form, "NORM": norm}])
