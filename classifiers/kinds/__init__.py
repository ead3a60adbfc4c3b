"""The kinds of classifiers that a spec can name. One file a kind.

`classifiers.registry` lists all of them; `surrogate`, `trained` and `ensemble` load other classifiers and are
completed there.
"""

from classifiers.kinds.api import API
from classifiers.kinds.guess import GUESS
from classifiers.kinds.hf import HF
from classifiers.kinds.majority import MAJORITY
from classifiers.kinds.python import PYTHON
from classifiers.kinds.sklearn import SKLEARN
from classifiers.kinds.textblob import TEXTBLOB
from classifiers.kinds.vader import VADER
from classifiers.machinery.classifier import ClassifierKind
from contract.machine.registry import Registry

# The kinds that load without another classifier.
INDEPENDENT_KINDS: Registry[ClassifierKind] = Registry(
    "classifier", [MAJORITY, GUESS, VADER, TEXTBLOB, SKLEARN, HF, API, PYTHON]
)
