"""The shipped tables hold what WordNet says of the words people use."""

from builder.language.wordnet.tables import load_tables


def test_senses_come_in_their_order_with_their_members() -> None:
    """A movie is a film first of all, and the synset says so from both sides."""
    first = load_tables().senses_of("movie", "n")[0]
    assert {"movie", "film", "picture"} <= {member.lemma for member in first.members}
    movie = first.member("movie")
    assert movie is not None
    assert movie.sense == 1
    assert first.member("car") is None


def test_relations_lead_to_synsets_of_the_same_part_of_speech() -> None:
    """Numbers that stand in a row are numbers of rows."""
    synsets = load_tables().synsets
    for synset in synsets:
        assert synset.members
        for number in (*synset.similar, *synset.opposed, *synset.above):
            assert synsets[number].part_of_speech == synset.part_of_speech


def test_only_plain_frequent_words_have_senses() -> None:
    """Every lemma has a frequency; phrases are kept apart."""
    tables = load_tables()
    assert {lemma for lemma, _ in tables.senses} == set(tables.frequency)
    assert min(tables.frequency.values()) >= 2.0
    assert "of course" in tables.phrases
    assert not any("_" in phrase for phrase in tables.phrases)
