"""Texts that every part must be able to take: ordinary ones, and all that is odd."""

from collections.abc import Sequence

from builder.values.samples import Sample

REVIEWS = (
    "if you sometimes like to go to the movies to have fun , wasabi is a good place to start .",
    "It's a charming, often affecting journey; the actors don't waste one of their 90 minutes!",
    "the second half drags badly , the jokes are tired and nobody seems to have enjoyed making it .",
    "THE BEST FILM OF 2002, says A. Critic (who hasn't seen the others) -- www.example.com",
)
ODD_TEXTS = (
    "",
    " \t\n",
    "... !? --",
    "a",
    "7",
    "\u0301",
    "film",
    "isn't",
    "👩‍👩‍👧 👍🏽 :-) 🎬film🎬",
    "e\u0301te\u0301 o\u0308 i\u0307\u0323ndeed",
    "ציון סרט נפלא מאוד \u200fwonderful\u200e מאוד",
    "中文 電影 ٣ ⅷ ﬁlm ǅ ß İ ı",
    "line one\nline two\r\n\r\n\u00a0films\u2003moved\x1ftold\u2028him",
    "x" * 60,
)


def samples_of(texts: Sequence[str]) -> list[Sample]:
    """Return texts as samples of a task with two labels."""
    return [
        Sample(id=f"t-{number:05d}", text=text, text_pair=None, label=number % 2)
        for number, text in enumerate(texts)
    ]
