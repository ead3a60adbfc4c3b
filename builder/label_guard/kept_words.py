"""Words that are neither replaced nor brought in: negations, quantities, modifiers and grammar."""

from builder.language.words.negations import is_negation


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# How much, how many, how often: another of these is another claim.
QUANTIFIERS = _words(
    """
    all almost altogether always another any anybody anyone anything both completely each either
    enough entirely ever every everybody everyone everything few fewer fewest first fully half last
    least less little lot lots many more most mostly much nearly occasionally often once one ones
    only other others part partly plenty quite rarely rather scarce seldom several single slightly
    solely some somebody someone something sometimes somewhat thoroughly thrice too totally twice
    usually utterly very whole wholly
    """
)
NUMBERS = _words(
    """
    billion billions couple double dozen dozens eight eighteen eighth eighty eleven fifteen fifth
    fifty five forty four fourteen fourth hundred hundreds hundredth million millions nine nineteen
    ninety ninth pair quadruple second seven seventeen seventh seventy six sixteen sixth sixty ten
    tenth third thirteen thirty thousand thousands three trillion triple twelve twenty two zero
    """
)
# What counts or orders; "half" and "once" among them.
NUMBER_WORDS = NUMBERS | _words("first half once one twice thrice")
# The digits that say the same as a word.
VALUES = {
    word: str(value)
    for value, word in enumerate("zero one two three four five six seven eight nine ten".split())  # noqa: SIM905
}
# Words that reverse, weaken or restrict their neighbours.
SHIFTERS = _words(
    """
    absence absent although anymore avoid avoided avoiding avoids away but cease ceased ceases
    ceasing despite devoid doubt doubtful except excluding failing failure failures free however if
    impossible instead lacked lose loses losing lost merely minus miss missed misses missing need
    needed needing needs nevertheless nonetheless notwithstanding prevent prevented prevents refuse
    refused refuses refusing save short should sole spare stop stopped stopping stops supposed
    supposedly than though unable unless unlike unlikely until void want wanted wanting wants would
    yet
    """
)
# Grammatical words that taggers sometimes take for content.
GRAMMAR = _words(
    """
    able about according again ago ahead alike also am and are around as aside at away back be
    became become becomes becoming been before being below beyond by came can come comes coming
    could did do does doing done down due during else even forth forward further gave get gets
    getting give gives giving go goes going gone got had has have having here how in indeed insofar
    is it just keep keeps kept kind know let lets like made make makes making may maybe might mine
    must near now of off on onto or otherwise out over own per perhaps please put puts same seem
    seemed seems shall simply since so sort still such sure take taken takes taking thank thanks
    that the then there thing things thus to together took toward towards under up upon used via was
    way ways well went were what when where whether which while who whom whose why will with within
    """
)
_KEPT = QUANTIFIERS | NUMBERS | SHIFTERS | GRAMMAR


def is_kept(word: str) -> bool:
    """Whether a word in small letters is neither replaced nor brought in."""
    return word in _KEPT or is_negation(word)
