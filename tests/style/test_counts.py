"""Counts of the sources only fall: those in the table of docs/architecture.md, and words in identifiers."""

import counts
import identifiers


def test_no_count_is_above_the_table():
    found = counts.above(counts.counted(), counts.written(counts.PAGE.read_text()))
    assert found == {}, "make it fewer; python tests/style/counts.py --write writes the table where a count fell"


def test_a_count_above_the_table_is_seen():
    page = f"{counts.BEGIN}\n\n{counts.table({'a': 1_200, 'b': 3})}\n\n{counts.END}\n| c | 9 |\n"
    assert counts.written(page) == {"a": 1200, "b": 3}
    assert counts.above({"a": 1199, "b": 4, "c": 1}, counts.written(page)) == {"b": (4, 3), "c": (1, None)}


def test_no_more_names_have_words_that_are_no_terms():
    found = identifiers.identifiers()
    wrong = {word: sorted(found[word]) for word, (_, limit) in identifiers.LIMITS.items() if len(found[word]) > limit}
    assert wrong == {}, {word: identifiers.LIMITS[word] for word in wrong}


def test_words_of_names_are_seen(tmp_path):
    (tmp_path / "cpp").mkdir()
    (tmp_path / "cpp/few_texts.hpp").write_text('int hasHoles(); // no told\nchar const* text = "truths";\n')
    (tmp_path / "cpp/x.py").write_text('"""Texts."""\nHALVES_OF = 1  # holes\nplaced = "elsewhere"\n')
    found = identifiers.identifiers(tmp_path, ("cpp",))
    assert found == {"texts": {"few_texts"}, "holes": {"hasHoles"}, "halves": {"HALVES_OF"}}
