"""Answers become verdicts; whoever does not read is caught."""

from crowd import answers_of, at_random, careful, lazy

from builder.curation.answers import Answer, AnswerFile
from builder.curation.collecting import CollectOptions, collect
from builder.curation.plan import Plan

NAMES = [f"annotator-{number}" for number in range(1, 6)]


def crowd_of(plan: Plan) -> list[AnswerFile]:
    """Return three careful people, one who tosses coins, and one who always says the same."""
    people = [careful(plan, name, seed=number) for number, name in enumerate(NAMES[:3])]
    return [*people, at_random(plan, NAMES[3], seed=3), lazy(plan, NAMES[4])]


def test_a_random_and_a_lazy_annotator_are_caught(plan: Plan) -> None:
    """And none of the careful ones; the others' votes alone decide."""
    outcome = collect(plan, crowd_of(plan), CollectOptions())
    caught = {one.name: one.unreliable for one in outcome.annotators if one.unreliable}
    assert set(caught) == {NAMES[3], NAMES[4]}
    assert any("known answers" in reason for reason in caught[NAMES[3]])
    assert any("labels of mr are 'positive'" in reason for reason in caught[NAMES[4]])
    assert any("same answer" in reason for reason in caught[NAMES[4]])
    assert {case.n for case in outcome.cases} == {3}
    (agreement,) = outcome.agreement
    assert (agreement.n_annotators, agreement.n_unreliable) == (5, 2)
    assert agreement.kappa is not None
    assert agreement.kappa > 0.5


def test_everybody_counts_when_asked_for(plan: Plan) -> None:
    """Then agreement is lower."""
    some = collect(plan, crowd_of(plan), CollectOptions())
    everybody = collect(plan, crowd_of(plan), CollectOptions(is_everybody_counted=True))
    assert {case.n for case in everybody.cases} == {5}
    assert everybody.agreement[0].kappa is not None
    assert some.agreement[0].kappa is not None
    assert everybody.agreement[0].kappa < some.agreement[0].kappa


def test_careful_people_are_never_caught(plan: Plan) -> None:
    """Whatever the seed of their errors."""
    for seed in range(8):
        people = [careful(plan, name, seed=10 * seed + n, wrong=0.08) for n, name in enumerate(NAMES)]
        outcome = collect(plan, people, CollectOptions())
        assert [one.unreliable for one in outcome.annotators] == [()] * 5


def test_who_fails_the_qualification_is_not_counted(plan: Plan) -> None:
    """The page's own score is not believed: it is computed again."""
    people = [careful(plan, name, seed=number) for number, name in enumerate(NAMES)]
    wrong = {"negative": "positive", "positive": "negative"}
    answers = [
        answer.model_copy(update={"label": wrong[answer.label]})
        if plan.by_key[answer.key].part == "qualification"
        else answer
        for answer in people[0].answers
    ]
    people[0] = answers_of(plan, NAMES[0], answers)
    outcome = collect(plan, people, CollectOptions())
    assert [bool(one.unreliable) for one in outcome.annotators] == [True, False, False, False, False]
    assert "qualification" in outcome.annotators[0].unreliable[0]


def test_verdicts_are_consensus_first_and_utility_then(plan: Plan) -> None:
    """As AdvGLUE filters; and a case that lost its meaning is not valid, whatever its label."""
    disputed, relabelled, changed, kept = plan.of_part("case")[:4]
    files = []
    for number, name in enumerate(NAMES):
        file = careful(plan, name, seed=number, wrong=0.0)
        wrong = {"negative": "positive", "positive": "negative"}
        answers = []
        for answer in file.answers:
            is_wrong = answer.key == relabelled.key or (answer.key == disputed.key and number < 2)
            answers.append(
                answer.model_copy(
                    update={
                        "label": wrong[answer.label] if is_wrong else answer.label,
                        "keeps": answer.keeps and answer.key != changed.key,
                    }
                )
            )
        files.append(answers_of(plan, name, answers))
    outcome = collect(plan, files, CollectOptions(min_agreement=0.8))
    verdicts = {case.id: case.verdict for case in outcome.cases}
    assert verdicts[disputed.row] == "human-consensus"
    assert verdicts[relabelled.row] == "utility"
    assert verdicts[changed.row] == "utility"
    assert verdicts[kept.row] == "valid"
    lenient = collect(plan, files, CollectOptions())
    assert {case.id: case.verdict for case in lenient.cases}[disputed.row] == "valid"


def test_too_few_votes_decide_nothing(plan: Plan) -> None:
    """Two people are no majority worth the name."""
    people = [careful(plan, name, seed=number) for number, name in enumerate(NAMES[:2])]
    outcome = collect(plan, people, CollectOptions())
    assert {case.verdict for case in outcome.cases} == {"undecided"}


def test_models_never_count_unless_asked_for(plan: Plan) -> None:
    """Their agreement stands in a row of its own, and their votes decide only by --count."""
    people = [careful(plan, name, seed=number) for number, name in enumerate(NAMES[:3])]
    judges = [
        AnswerFile(
            plan=plan.sha256,
            annotator=f"api:judge-{number}",
            kind="model",
            answers=[
                Answer(key=text.key, label="positive", keeps=None if text.original is None else True)
                for text in plan.texts
                if text.part == "case"
            ],
        )
        for number in range(3)
    ]
    outcome = collect(plan, [*people, *judges], CollectOptions())
    assert {case.n for case in outcome.cases} == {3}
    assert [(row.kind, row.n_annotators) for row in outcome.agreement] == [("person", 3), ("model", 3)]
    alone = collect(plan, people, CollectOptions())
    assert outcome.cases == alone.cases
    both = collect(plan, [*people, *judges], CollectOptions(counted="both", is_everybody_counted=True))
    assert {case.n for case in both.cases} == {6}
    models = collect(plan, [*people, *judges], CollectOptions(counted="models", is_everybody_counted=True))
    assert {case.votes for case in models.cases} == {(0, 3)}
