"""Imports TextAttack without a network: it gets what it would download from us, or nothing."""

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contract.machine.cache_folder import cache_path
from contract.machine.errors import UserError
from contract.machine.whole_files import write_text

# TextAttack only asks which words to leave alone. A list with a line a word would fill two screens.
STOP_WORDS = """
a about above after again against all am an and any are as at be because been before being below
between both but by can could did do does doing down during each few for from further had has have
having he her here hers herself him himself his how i if in into is it its itself just me more most
my myself no nor not now of off on once only or other our ours ourselves out over own same she
should so some such than that the their theirs them themselves then there these they this those
through to too under until up very was we were what when where which while who whom why will with
would you your yours yourself yourselves
""".split()  # noqa: SIM905


@contextmanager
def quiet() -> Iterator[None]:
    """Silence TextAttack's own warnings inside."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


@contextmanager
def textattack_imports() -> Iterator[None]:
    """Import from TextAttack inside: nothing is downloaded or printed; an error says how to install it."""
    home = cache_path() / "textattack"
    _furnish(home)
    before = dict(os.environ)
    # It reads this when it is imported, and only then; and it moves the cache folders of other libraries.
    os.environ.setdefault("TA_CACHE_DIR", str(home))
    try:
        with quiet():
            from nltk import data

            # Last, so that what the user has is found first.
            if str(home / "nltk") not in data.path:
                data.path.append(str(home / "nltk"))
            yield
    except ImportError as error:
        raise UserError(
            f"TextAttack cannot be imported ({error}); install it with `pip install hardfrost[textattack]`,"
            " or take its attacks out of the recipe"
        ) from None
    finally:
        os.environ.clear()
        os.environ.update(before)


def _furnish(home: Path) -> None:
    """Write a stop-word list where NLTK looks for one, and the file that stops the download on import."""
    words = home / "nltk" / "corpora" / "stopwords" / "english"
    if not words.is_file():
        write_text(words, "\n".join(STOP_WORDS) + "\n")
    check = home / "post_install_check_3"
    if not check.is_file():
        write_text(check, "")
