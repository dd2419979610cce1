"""``fathom rules``, and the page that is made from it."""

import re
from pathlib import Path

import pytest
from msgspec import structs

from fathom.cli import fields, main, parser
from fathom.rules import library
from fathom.rules.rulebook import Rulebook
from fathom.rules.setup import House

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"

SHY_MATE = """\
crew.shy-mate  The shy first mate

   A first mate who would rather stay in the background may do nothing but
   charge. The captain then activates every system, drone and sonar included.
   Each crew chooses this for itself at set-up.

   Only in captain-sonar-2.
"""


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def names_in(out: str) -> list[str]:
    return re.findall(r"^   ([a-z]+\.[a-z-]+) ", out, flags=re.MULTILINE)


def test_every_rule_is_listed_once_in_its_section(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys)
    text = library.rule_text()
    assert names_in(out) == list(text.names)
    headings = re.findall(r"^\d+\. (.*)$", out, flags=re.MULTILINE)
    assert headings == [section.title for section in text.sections]


def test_rules_in_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert parser.LANGUAGES == library.LANGUAGES
    for language in library.LANGUAGES:
        out = printed(capsys, "--language", language)
        sections = library.rule_text(language).sections
        assert re.findall(r"^\d+\. (.*)$", out, flags=re.MULTILINE) == [s.title for s in sections]
        title = library.rule_text(language).find("end.sunk").title
        assert printed(capsys, "end.sunk", "--language", language).startswith(f"end.sunk  {title}")


def test_a_rule_with_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "crew.shy-mate") == SHY_MATE


def test_a_rule_with_its_ruling_and_all_rulebooks(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "crew.mode")
    assert "Ruling: The rulebooks know no bots" in out
    assert "   captain-sonar-2   Real time with 6 to 8 players" in out
    assert "   sonar             Real time with exactly 4 players." in out


@pytest.mark.parametrize("name", library.rule_text().names)
def test_every_rule_can_be_read_in_80_columns(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = printed(capsys, name)
    rule = library.rule_text().find(name)
    assert max(len(line) for line in out.splitlines()) <= 80
    assert " ".join(rule.text.replace("`", "").split()) in " ".join(out.split())


def test_one_rulebook_only(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "crew.mode", "--book", "captain-sonar-2")
    assert "Real time with 6 to 8 players" in out
    assert "exactly 4 players" not in out


def test_the_list_of_one_rulebook_leaves_out_what_it_does_not_have(
    capsys: pytest.CaptureFixture[str],
) -> None:
    family = names_in(printed(capsys, "--book", "sonar"))
    second = names_in(printed(capsys, "--book", "captain-sonar-2"))
    assert "silence.one" in family
    assert "silence.move" not in family
    assert "crew.shy-mate" in second
    assert "silence.one" not in second


def test_searching(capsys: pytest.CaptureFixture[str]) -> None:
    found = names_in(printed(capsys, "--search", "Lava"))
    assert found == ["scenario.volcanoes"]
    assert names_in(printed(capsys, "--search", "FIRST MATE", "--book", "sonar")) != []


def test_fields_name_everything_that_a_table_can_change(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = printed(capsys, "--fields")
    shown = re.findall(r"^  ([a-z_.]+)$", out, flags=re.MULTILINE)
    rulings, house = out.index("Rulings:"), out.index("House:")
    fixed = out.index("Fixed:")
    for field in structs.fields(Rulebook):
        if field.name in fields.OPAQUE:
            continue
        assert any(name.partition(".")[0] == field.name for name in shown), field.name
        place = re.search(rf"^  {field.name}(\.|$)", out, flags=re.MULTILINE)
        assert place is not None
        assert rulings < place.start() < house or (field.required and place.start() > fixed)
    for field in structs.fields(House):
        assert house < out.index(f"\n  {field.name}\n", house) < fixed


def test_fields_tell_values_meanings_and_choices() -> None:
    by_name = {field.name: field for field in (*fields.rulings(), *fields.foundations())}
    chain = by_name["blast_chain"]
    assert chain.values == ("no", "no", "yes", "no")
    assert chain.meaning == "Whether mines next to an explosion explode in waves (blast.chain)."
    assert by_name["mine_armed"].meaning.endswith("One of at-once, next-turn.")
    assert by_name["turn_by_turn.gauges"].values[3] == "none"
    assert by_name["energy"].values == ("-",) * 3 + ("boxes 4, sonar 2, silence 3, torpedo 4",)
    assert fields.exceptions(chain) == "no; captain-sonar-2: yes"


def test_the_page_of_the_rules_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    written = PAGE.read_text(encoding="utf-8")
    stale = "docs/rules.md is stale: fathom rules --markdown > docs/rules.md"
    assert written == printed(capsys, "--markdown"), stale


def test_every_link_of_the_page_leads_somewhere(capsys: pytest.CaptureFixture[str]) -> None:
    page = printed(capsys, "--markdown")
    anchors = set(re.findall(r'<a id="([^"]+)">', page))
    headings = {
        re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^## (.*)$", page, flags=re.MULTILINE)
    }
    links = set(re.findall(r"\]\(#([^)]+)\)", page))
    assert links - anchors - headings == set()
    assert anchors == set(library.rule_text().names)
