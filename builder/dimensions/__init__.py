"""The robustness dimensions. A new one is a file, an import and an entry here."""

from builder.dimensions.contextual import CONTEXTUAL
from builder.dimensions.distraction import DISTRACTION
from builder.dimensions.glyph import GLYPH_GENERAL, GLYPH_MALICIOUS
from builder.dimensions.inflection import INFLECTION
from builder.dimensions.invisible import INVISIBLE
from builder.dimensions.phonetic import PHONETIC_GENERAL, PHONETIC_MALICIOUS
from builder.dimensions.single_word import SINGLE_WORD
from builder.dimensions.synonym import SYNONYM
from builder.dimensions.syntax import SYNTAX
from builder.dimensions.typo import TYPO_GENERAL, TYPO_MALICIOUS
from builder.dimensions.zeroe.disemvowel import DISEMVOWEL
from builder.dimensions.zeroe.full_shuffle import FULL_SHUFFLE
from builder.dimensions.zeroe.inner_shuffle import INNER_SHUFFLE
from builder.dimensions.zeroe.intrude import INTRUDE
from builder.dimensions.zeroe.keyboard_typo import KEYBOARD_TYPO
from builder.dimensions.zeroe.natural_noise import NATURAL_NOISE
from builder.dimensions.zeroe.phonetic import PHONETIC
from builder.dimensions.zeroe.segment import SEGMENT
from builder.dimensions.zeroe.truncate import TRUNCATE
from builder.dimensions.zeroe.visual import VISUAL
from builder.operations.dimension import AnyDimension
from contract.machine.registry import Registry
from contract.schema.manifest import CORE

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
        INNER_SHUFFLE,
        FULL_SHUFFLE,
        INTRUDE,
        DISEMVOWEL,
        TRUNCATE,
        SEGMENT,
        KEYBOARD_TYPO,
        NATURAL_NOISE,
        PHONETIC,
        VISUAL,
        INVISIBLE,
        SINGLE_WORD,
    ],
)
# Those of the headline; the others belong to groups with a mean of their own.
CORE_DIMENSIONS: Registry[AnyDimension] = Registry(
    "dimension", [part for part in DIMENSIONS.values() if part.group == CORE]
)
