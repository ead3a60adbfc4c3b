"""A surrogate as units of work name it: by name, kind and the hash of its weights."""

from dataclasses import dataclass
from functools import lru_cache

from classifiers import KINDS, TRAINABLE_KINDS
from classifiers.kinds.ensemble import NAME as ENSEMBLE
from contract.machine.code import ANSWERS, hash_of_code

_ASKING = "classifiers.machinery.inference"


@dataclass(frozen=True, kw_only=True)
class SurrogateRef:
    """A surrogate by name, by its kind and by the hash of its weights."""

    name: str
    kind: str
    sha256: str

    @property
    def fingerprint(self) -> list[str]:
        """What decides its answers: the weights, and the code that applies them to a text."""
        return [self.sha256, answering_code(self.kind)]


@lru_cache(maxsize=64)
def answering_code(kind: str) -> str:
    """Return the hash of the code that turns a surrogate's weights and a text into an answer."""
    if kind in TRAINABLE_KINDS:
        return hash_of_code([_ASKING, TRAINABLE_KINDS[kind].load.__module__], ANSWERS)
    modules = [_ASKING, KINDS[kind].load.__module__]
    if kind == ENSEMBLE:
        # Its members may be of every kind that can be a surrogate.
        modules += [trainable.load.__module__ for trainable in TRAINABLE_KINDS.values()]
        modules += [other.load.__module__ for other in KINDS.values() if other.content is not None]
    return hash_of_code(modules, ANSWERS, alone=["classifiers.saved.external"])
