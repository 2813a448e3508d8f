"""Counts of the sources only fall: those in the table of docs/architecture.md. No identifier has a word that is no term."""

import re

import counts
import identifiers


def test_no_count_is_above_the_table():
    found = counts.above(counts.counted(), counts.written(counts.PAGE.read_text()))
    assert found == {}, "make it fewer; python tests/style/counts.py --write writes the table where a count fell"


def test_a_count_above_the_table_is_seen():
    page = f"{counts.BEGIN}\n\n{counts.table({'a': 1_200, 'b': 3})}\n\n{counts.END}\n| c | 9 |\n"
    assert counts.written(page) == {"a": 1200, "b": 3}
    assert counts.above({"a": 1199, "b": 4, "c": 1}, counts.written(page)) == {"b": (4, 3), "c": (1, None)}


def test_no_name_has_words_that_are_no_terms():
    found = {word: (sorted(names), identifiers.TERMS[word]) for word, names in identifiers.identifiers().items()}
    assert found == {}


def test_a_file_is_listed_only_while_it_uses_the_word():
    stale = []
    for pattern, files in identifiers.RIGHT_SENSES.items():
        for name in sorted(files):
            path = identifiers.ROOT / name
            names = [path.stem, *identifiers.CANDIDATE.findall(identifiers.code(path.read_text(), path.suffix))]
            if not any(re.fullmatch(pattern, word) for n in names for word in identifiers.words_of(n)):
                stale.append(name)
    assert stale == []


def test_words_of_names_are_seen(tmp_path):
    (tmp_path / "cpp").mkdir()
    (tmp_path / "cpp/few_texts.hpp").write_text('int hasHoles(); // no told\nchar const* text = "truths";\n')
    (tmp_path / "cpp/x.py").write_text('"""Texts."""\nHALVES_OF = 1  # holes\nplaced = "elsewhere"\n')
    found = identifiers.identifiers(tmp_path, ("cpp",))
    assert found == {"texts": {"few_texts"}, "holes": {"hasHoles"}, "halves": {"HALVES_OF"}}
