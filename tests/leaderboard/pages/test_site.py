"""The site: well-formed pages that load nothing from outside and show untrusted text as text."""

import math
import re
from pathlib import Path

import pytest
from made_releases import make_release
from made_results import DIMENSIONS, make_result
from read_pages import Page, pages_of

from contract.machine.errors import UserError
from contract.release.release import Release
from contract.schema.leaderboards import Leaderboard
from contract.schema.results import BenchmarkInfo, ModelInfo, Result
from leaderboard.board.collecting import collect
from leaderboard.pages.site import write_site
from leaderboard.text.formatting import interval_text, percent
from leaderboard.text.untrusted_text import visible
from leaderboard.view.charts import RADAR_HEIGHT, RADAR_RADIUS, RADAR_WIDTH

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "attribute": '"><img src=x onerror=alert(1)>',
    "path": "../../x",
    "right to left": "abc\u202egpj.exe\u0000\u2028",
    "long": "x" * 10_000,
    "template": "{{ 7 * 7 }}{% raw %}",
    "entity": "&lt;b&gt; & ‘quotes’",
}


def test_every_page_is_well_formed_and_links_only_to_files_that_exist(tmp_path: Path) -> None:
    """No page asks for anything outside the folder, and no link leads nowhere."""
    pages = pages_of(_site(tmp_path, [make_result("one"), make_result("two", is_partial=True)]))
    assert len([path for path in pages if path.startswith("models/")]) == 2
    assert len([path for path in pages if path.startswith("dimensions/")]) == len(DIMENSIONS)
    for path, page in pages.items():
        assert page.complaints == [], path
        assert not re.search(r"(https?:)?//[a-z]", page.source), path
        for address in page.addresses():
            target = (tmp_path / "site" / path).parent / address.partition("#")[0]
            assert address == "data:," or address.startswith("#") or target.is_file(), address


def test_every_page_forbids_inline_code_and_guests(tmp_path: Path) -> None:
    """The policy is strict, and the pages keep to it."""
    for page in pages_of(_site(tmp_path, [make_result("one")])).values():
        (policy,) = [
            str(attributes["content"])
            for tag, attributes in page.elements
            if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        for tag, attributes in page.elements:
            assert tag != "style"
            assert tag != "script" or attributes.get("src")
            assert not [name for name in attributes if name == "style" or name.startswith("on")]


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_only_text(tmp_path: Path, name: str) -> None:
    """It adds no element, no attribute, no file outside the folder and no unseen character."""
    model = ModelInfo(name=name, organisation=name, revision=name, notes=name, licence=name, url=name)
    site_dir = _site(tmp_path, [make_result("hostile", model=model)])
    (tmp_path / "tame").mkdir()
    tame = ModelInfo(
        name="name", organisation="name", revision="name", notes="name", licence="name", url="name"
    )
    tame_dir = _site(tmp_path / "tame", [make_result("hostile", model=tame)])
    assert {path.name for path in tmp_path.iterdir()} == {"results", "site", "tame"}
    (path,) = (site_dir / "models").iterdir()
    (tame_path,) = (tame_dir / "models").iterdir()
    assert re.fullmatch(r"[a-z0-9-]{1,60}\.html", path.name)
    for hostile, harmless in ((path, tame_path), (site_dir / "index.html", tame_dir / "index.html")):
        page = Page(hostile)
        assert page.complaints == []
        assert [tag for tag, _ in page.elements] == [tag for tag, _ in Page(harmless).elements]
        assert not re.search("[\u0000-\u0008\u202a-\u202e\u2066-\u2069\u2028\u2029]", page.source)
    assert (site_dir / "index.html").stat().st_size < 60_000


@pytest.mark.parametrize(
    ("url", "is_linked"),
    [
        ("https://example.org/model?a=1&b=2", True),
        ("http://example.org", True),
        ("javascript:alert(1)", False),
        ("JavaScript:alert(1)", False),
        (" https://example.org", False),
        ("data:text/html,x", False),
        ("//example.org", False),
        ("https://", False),
        ("https://good.example@evil.example/", False),
        ("https://exa\u202emple.org", False),
        ("https://[bad", False),
        ('https://example.org/"onclick=', False),
    ],
)
def test_only_plain_web_addresses_become_links(tmp_path: Path, url: str, is_linked: bool) -> None:  # noqa: FBT001
    """Anything else is not even shown as an address."""
    site_dir = _site(tmp_path, [make_result("one", model=ModelInfo(name="one", url=url))])
    (path,) = (site_dir / "models").iterdir()
    assert (url in Page(path).addresses()) is is_linked


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (" ", "⟨U+0020⟩"),
        ("\u3164", "⟨U+3164⟩"),
        ("\u2003\u200b", "⟨U+2003⟩⟨U+200B⟩"),
        ("\ufe0f", "⟨U+FE0F⟩"),
        ("a\u3164b", "a⟨U+3164⟩b"),
        ("a" + "\u0301" * 5, "a" + "\u0301" * 3 + "⟨U+0301⟩" * 2),
        ("\u0301a", "⟨U+0301⟩a"),
        ("Việt e\u0323\u0302 \u2764\ufe0f", "Việt e\u0323\u0302 \u2764\ufe0f"),
        ("", ""),
    ],
)
def test_what_shows_nothing_or_climbs_over_its_line_is_spelt_out(name: str, shown: str) -> None:
    """A name can always be seen and clicked; what people write stays as it is."""
    assert visible(name) == shown


def test_no_measurement_passes_for_a_fact(tmp_path: Path) -> None:
    """The names of measurements are untrusted."""
    result = make_result("one").model_copy(
        update={"measurements": {"Signature": "forged", "Evaluator": "9.9", "mr/f1": 0.5}}
    )
    (path,) = (_site(tmp_path, [result]) / "models").iterdir()
    source = Page(path).source
    assert f"<dt>Signature</dt><dd><bdi>{result.signature}</bdi>" in source
    assert "<dt>Evaluator</dt><dd><bdi>0.1.0</bdi>" in source
    assert "<dt>Measured: Signature</dt><dd><bdi>forged</bdi>" in source
    assert "<dt>Measured: mr/f1</dt><dd><bdi>0.5</bdi>" in source


def test_models_whose_names_look_alike_have_pages_of_their_own(tmp_path: Path) -> None:
    """The readable part of a file name may repeat, the file name may not."""
    results = [make_result(name) for name in ("a b", "a-b", "A B", "a.b")]
    assert len(list((_site(tmp_path, results) / "models").iterdir())) == 4


def test_a_site_replaces_an_older_site_and_nothing_else(tmp_path: Path) -> None:
    """Somebody's folder is not ours to delete."""
    site_dir = _site(tmp_path, [make_result("old")])
    board = collect(tmp_path / "results")
    (site_dir / "models" / "stray.html").write_text("left over")
    write_site(board, site_dir)
    assert not (site_dir / "models" / "stray.html").exists()
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("precious")
    with pytest.raises(UserError, match="not a site of ours"):
        write_site(board, other)
    assert (other / "thesis.txt").read_text() == "precious"
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="is a file"):
        write_site(board, tmp_path / "file")


def test_a_failure_leaves_the_older_site_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No half site, no temporary folder."""
    site_dir = _site(tmp_path, [make_result("old")])
    before = _bytes_of(site_dir)
    monkeypatch.setattr("leaderboard.pages.site.model_page", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_site(collect(tmp_path / "results"), site_dir)
    assert _bytes_of(site_dir) == before
    assert {path.name for path in tmp_path.iterdir()} == {"results", "site"}


def test_the_same_leaderboard_gives_the_same_bytes(tmp_path: Path) -> None:
    """A site carries no clock."""
    results = [make_result("one"), make_result("two", strength=0.5)]
    (tmp_path / "again").mkdir()
    assert _bytes_of(_site(tmp_path, results)) == _bytes_of(_site(tmp_path / "again", results))


def test_figures_on_the_page_are_those_of_the_results(tmp_path: Path) -> None:
    """Per cent with one decimal, in the order of the ranks."""
    page = Page(
        _site(tmp_path, [make_result("weak", strength=0.5), make_result("strong", strength=0.7)])
        / "index.html"
    )
    assert page.text.index("strong") < page.text.index("weak")
    assert "70.0" in page.text
    assert "52.0" in page.text


def test_every_value_of_a_radar_stands_in_the_table_of_dimensions(tmp_path: Path) -> None:
    """Over several tasks and settings too, where no single panel holds it; with intervals."""
    result = make_result("one", tasks=("mr", "sst"), settings=("rule", "score"))
    site_dir = _site(tmp_path, [result])
    (path,) = (site_dir / "models").iterdir()
    page = Page(path)
    table = page.source[page.source.index('id="by-dimension"') :].partition("</table>")[0]
    cells = r'<td class="num">([0-9.]+)<small class="ci">([0-9.–]+)</small></td>'
    shown = re.findall(rf'title="([^"]+)".*?{cells}{cells}{cells}{cells}', table)
    assert result.overall is not None
    for name, *figures in shown:
        pairs = [result.overall.dimensions[name][setting] for setting in ("rule", "attacked")]
        expected = [aggregate for pair in pairs for aggregate in (pair.worst, pair.average)]
        assert figures[::2] == [percent(aggregate.ewma) for aggregate in expected]
        assert figures[1::2] == [interval_text(aggregate.ci) for aggregate in expected]
    assert page.source.count('<svg class="radar"') == 2
    radar = page.source[page.source.index('<svg class="radar"') :].partition("</svg>")[0]
    assert "A table on this page has the same figures" in radar
    assert re.findall(r'text-anchor="[a-z]+"[^>]*>([^<]+)<', radar) == [row[0] for row in shown]
    for name, column in (("worst", 1), ("average", 3)):
        (points,) = re.findall(rf'class="area {name}" points="([^"]+)"', radar)
        places = [tuple(map(float, point.split(","))) for point in points.split()]
        drawn = [
            100 * math.hypot(x - RADAR_WIDTH / 2, y - RADAR_HEIGHT / 2) / RADAR_RADIUS for x, y in places
        ]
        # Places are drawn to a tenth of a unit.
        assert drawn == pytest.approx([float(row[column]) for row in shown], abs=0.2)
    assert (
        page.text.index("Rule, general") < page.text.index("Rule, malicious") < page.text.index("Attacked,")
    )


def test_a_dimension_left_out_is_shown_as_absent(tmp_path: Path) -> None:
    """Never as zero."""
    whole = make_result("whole", dimensions=DIMENSIONS[:3])
    partial = make_result("partial", dimensions=DIMENSIONS[:2], is_partial=True)
    page = Page(_site(tmp_path, [whole, partial]) / "index.html")
    row = page.source[page.source.index(">partial<") :]
    # Score, worst, the setting, general, malicious and the third dimension.
    assert row.count('class="none"') == 6


def test_with_a_release_cases_are_shown_with_their_edits_marked(tmp_path: Path) -> None:
    """Offsets are code points, so an emoji before an edit does not move it."""
    release_dir = make_release(tmp_path / "release")
    site_dir = _site(tmp_path, [_result_of(release_dir)], release_dir=release_dir)
    source = next(path for path in (site_dir / "dimensions").iterdir() if "typo" in path.name).read_text()
    assert (
        'a <del>q</del><ins>w</ins>uiet,<ins title="U+0430 CYRILLIC SMALL LETTER A">а</ins> tender' in source
    )
    assert "tender &lt;b&gt;film&lt;/b&gt; 🎬 &amp; a joy" in source
    assert "Keys missed on purpose." in source
    assert "1 of 2 surrogates fooled" in source
    assert "label <b>positive</b>" in source


def test_with_a_release_columns_have_its_order_and_tags(tmp_path: Path) -> None:
    """A new dimension needs no change in the leaderboard."""
    release_dir = make_release(tmp_path / "release")
    result = make_result(
        "one", dimensions=("typo-malicious",), degrees=("0.1",), benchmark=_result_of(release_dir).benchmark
    )
    result.write(tmp_path / "results" / "result.json")
    board = collect(tmp_path / "results", release_dir=release_dir)
    assert [(info.name, info.tag) for info in board.dimensions] == [
        ("typo-malicious", "malicious"),
        ("novel", "general"),
    ]


def test_a_site_refuses_another_release(tmp_path: Path) -> None:
    """Examples of one benchmark beside scores of another would mislead."""
    release_dir = make_release(tmp_path / "release")
    with pytest.raises(UserError, match="give the release on which its results were scored"):
        _site(tmp_path, [make_result("one")], release_dir=release_dir)


def test_a_leaderboard_read_from_a_file_gives_the_same_site(tmp_path: Path) -> None:
    """Only the file crosses from one command to the other."""
    direct = _site(tmp_path, [make_result("one")])
    collect(tmp_path / "results").write(tmp_path / "leaderboard.json")
    write_site(Leaderboard.read(tmp_path / "leaderboard.json"), tmp_path / "second")
    assert _bytes_of(direct) == _bytes_of(tmp_path / "second")


def _result_of(release_dir: Path) -> Result:
    release = Release.open(release_dir)
    benchmark = BenchmarkInfo(name="robust-reviews", version="1.0.0", manifest_sha256=release.manifest_sha256)
    return make_result(
        "one", dimensions=("typo-malicious", "novel"), degrees=("0.05", "0.1"), benchmark=benchmark
    )


def _site(folder: Path, results: list[Result], *, release_dir: Path | None = None) -> Path:
    """Write the results, collect them and return the folder of their site."""
    for index, result in enumerate(results):
        result.write(folder / "results" / str(index) / "result.json")
    return write_site(collect(folder / "results"), folder / "site", release_dir=release_dir).parent


def _bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
