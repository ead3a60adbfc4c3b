"""The robustness dimensions. A new one is a file, an import and an entry here."""

from builder.dimensions.contextual import CONTEXTUAL
from builder.dimensions.distraction import DISTRACTION
from builder.dimensions.glyph import GLYPH_GENERAL, GLYPH_MALICIOUS
from builder.dimensions.inflection import INFLECTION
from builder.dimensions.phonetic import PHONETIC_GENERAL, PHONETIC_MALICIOUS
from builder.dimensions.synonym import SYNONYM
from builder.dimensions.syntax import SYNTAX
from builder.dimensions.typo import TYPO_GENERAL, TYPO_MALICIOUS
from builder.operations.dimension import AnyDimension
from contract.machine.registry import Registry

DIMENSIONS: Registry[AnyDimension] = Registry(
    "dimension",
    [
        TYPO_MALICIOUS,
        TYPO_GENERAL,
        GLYPH_MALICIOUS,
        GLYPH_GENERAL,
        PHONETIC_MALICIOUS,
        PHONETIC_GENERAL,
        SYNONYM,
        CONTEXTUAL,
        INFLECTION,
        SYNTAX,
        DISTRACTION,
    ],
)
