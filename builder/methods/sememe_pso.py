"""SememePSO: a swarm of texts with replaced words moves towards the ones that hurt the source most."""

from collections.abc import Sequence
from dataclasses import dataclass

from builder.methods.method import Method, Parameter
from builder.methods.neighbours import neighbour_swaps
from builder.methods.searching import dimension_with
from builder.methods.swarm import Rules, Swarm
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.operations.operation import Operations
from builder.searches.machinery.attack import Attack, pair_with
from builder.searches.machinery.edit_paths import Attempt
from builder.searches.machinery.edit_states import EditState
from builder.searches.machinery.editable_texts import EditableText
from builder.searches.search import SearchRequest, SearchResult
from builder.values.randomness import Draw
from builder.word_swaps.swaps import operations_of
from contract.schema.manifest import Setting

RULES = Rules(
    n_particles=60,
    most_rounds=20,
    highest_inertia=0.8,
    lowest_inertia=0.2,
    highest_movement=0.8,
    lowest_movement=0.2,
)
# How likely readers must accept a swap, says the judge.
LEAST_SCORE = 0.75
# The strongest positions of a swarm that are kept: attempts, and what may take their places. Where a cheaper
# surrogate leads the swarm, the source is asked about these alone.
MOST_KEPT = 12


def propose(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return for every word the words that share its sememes or its sense."""
    return operations_of(texts, neighbour_swaps(texts, resources, most=None, least_score=LEAST_SCORE))


@dataclass(frozen=True, kw_only=True)
class _Found:
    """What the swarms of a text have found, by degree."""

    text: EditableText
    found: dict[float, list[Attempt]]


def search(request: SearchRequest, setting: Setting) -> SearchResult:
    """Return the strongest positions of a swarm for each text and budget."""
    attack = Attack(request, dimension_with(request, propose), setting)
    swarms = [
        Swarm(text, budget, RULES, _draw(request, setting, text, budget.degree))
        for text in attack.texts
        for budget in text.budgets
    ]
    _move(request, swarms)
    return attack.result(_attempts(request, attack.texts, swarms))


def _draw(request: SearchRequest, setting: Setting, text: EditableText, degree: float) -> Draw:
    names = (request.task, text.sample.id, request.dimension.name, setting, request.attacked_source.name)
    return Draw(request.seed, *names, "swarm", degree)


def _move(request: SearchRequest, swarms: Sequence[Swarm]) -> None:
    """Move all swarms in step until their source is fooled or their rounds are over."""
    source = request.attacked_source
    leader = source.screener or source.inference
    n_rounds = max(1, min(RULES.most_rounds, source.max_queries // RULES.n_particles))
    moving = list(swarms)
    for number in range(n_rounds):
        asked = [(swarm, position) for swarm in moving for position in swarm.unknown()]
        pairs = [pair_with(request, swarm.text, swarm.written(position)) for swarm, position in asked]
        rows = leader.ask(pairs) if pairs else ()
        for (swarm, position), row in zip(asked, rows, strict=True):
            label = swarm.text.sample.label
            swarm.learn(position, float(row[label]), is_fooled=int(row.argmax()) != label)
        moving = [swarm for swarm in moving if not swarm.has_fooled]
        for swarm in moving:
            swarm.move(number / n_rounds)


def _attempts(request: SearchRequest, texts: Sequence[EditableText], swarms: Sequence[Swarm]) -> list[_Found]:
    """Return for each text and degree the strongest positions, as the source itself finds them."""
    kept = [(swarm, position) for swarm in swarms for position in swarm.strongest(MOST_KEPT)]
    pairs = [pair_with(request, swarm.text, swarm.written(position)) for swarm, position in kept]
    rows = request.attacked_source.inference.ask(pairs) if pairs else ()
    found = {text.sample.id: _Found(text=text, found={}) for text in texts}
    for (swarm, position), row in zip(kept, rows, strict=True):
        text, budget = swarm.text, swarm.budget
        state = EditState.of(text, swarm.placed(position))
        attempt = Attempt(float(row[text.sample.label]), state.whole_text(), budget.amount, state)
        found[text.sample.id].found.setdefault(budget.degree, []).append(attempt)
    for of_text in found.values():
        for attempts in of_text.found.values():
            attempts.sort(key=lambda attempt: (attempt.probability, attempt.text))
    return list(found.values())


SEMEME_PSO = Method(
    name="sememe-pso",
    summary="words of the same sememes or sense, chosen by a swarm of texts that moves to what hurts most",
    paper="Zang et al. 2020, Word-level Textual Adversarial Attacking as Combinatorial Optimization, ACL",
    dimension="synonym",
    settings=("score",),
    parameters=(
        Parameter(name="particles", paper=60, ours=RULES.n_particles),
        Parameter(name="inertia, at first", paper=0.8, ours=RULES.highest_inertia),
        Parameter(name="inertia, at last", paper=0.2, ours=RULES.lowest_inertia),
        Parameter(name="probability of a movement, highest", paper=0.8, ours=RULES.highest_movement),
        Parameter(name="probability of a movement, lowest", paper=0.2, ours=RULES.lowest_movement),
        Parameter(name="rounds, at most", paper=20, ours=RULES.most_rounds),
    ),
    departures=(
        (
            "The paper's words share all sememes in HowNet; ours are what the recipe's `lexicons` list, such"
            " as a file made from HowNet, and the packaged thesaurus."
        ),
        "A swap must also pass the label guard and the judge of substitutions.",
        "The paper's particles change any number of words; ours change as many as the degree's budget says.",
        "The recipe's `max_queries` bounds the rounds: with 1000 there are at most 16.",
        "Where a cheaper surrogate screens candidates for an expensive source, it leads the swarm.",
    ),
    function=search,
    uses=("encoder",),
)
