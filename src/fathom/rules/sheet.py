"""The engineer's sheet: panels of symbols, circuits, and the hull that is traced when surfaced."""

from msgspec import Struct

from fathom.words import Heading, Kind


class Symbol(Struct, frozen=True, forbid_unknown_fields=True):
    """One symbol, called by its panel and place: ``W1`` to ``W3`` central, then the reactor."""

    name: str
    panel: Heading
    kind: Kind
    circuit: str | None
    """The circuit that joins it to three others, called by its panel (repair.circuit)."""


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """All symbols of an engineer's sheet, panel by panel (breakdown.sheet)."""

    name: str
    title: str
    symbols: tuple[Symbol, ...]

    @property
    def circuits(self) -> tuple[str, ...]:
        """The circuits' names, in the order of the sheet."""
        return tuple(dict.fromkeys(s.circuit for s in self.symbols if s.circuit))


Spot = tuple[int, int]
"""A spot on the sheet, in the sheet's own coordinates."""


class Hull(Struct, frozen=True, forbid_unknown_fields=True):
    """The hull in four sections; each is a closed band around a centre line (surface.trace)."""

    width: int
    height: int
    band: int
    """How wide the white band is."""
    closing: int
    """How near its beginning a stroke must end."""
    longest: int
    """How many points a stroke may have."""
    sections: tuple[tuple[Spot, ...], ...]
    """Each section's centre line, closed."""


class Panel(Struct, frozen=True, forbid_unknown_fields=True):
    """One panel as the data file writes it."""

    heading: Heading
    central: tuple[tuple[Kind, str], ...]
    reactor: tuple[Kind, ...]


class SheetFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet's data file."""

    title: str
    panels: tuple[Panel, ...]


class BadSheet(ValueError):
    """A sheet's data that can't be played with."""


def assemble(name: str, file: SheetFile) -> Sheet:
    """The sheet that the data file describes, checked."""
    symbols = tuple(symbol for panel in file.panels for symbol in panel_symbols(panel))
    if [panel.heading for panel in file.panels] != [Heading.W, Heading.N, Heading.S, Heading.E]:
        raise BadSheet(f"sheet {name}: the panels must be W, N, S, E, in this order")
    if not all(panel.central or panel.reactor for panel in file.panels):
        raise BadSheet(f"sheet {name}: every panel needs symbols")
    if not any(symbol.kind is Kind.RADIATION for symbol in symbols):
        raise BadSheet(f"sheet {name}: there is no radiation symbol")
    sheet = Sheet(name, file.title, symbols)
    for circuit in sheet.circuits:
        if sum(symbol.circuit == circuit for symbol in symbols) != 4:
            raise BadSheet(f"sheet {name}: circuit {circuit!r} must have four symbols")
    return sheet


def panel_symbols(panel: Panel) -> list[Symbol]:
    """The panel's symbols, central ones first."""
    letter = panel.heading.value
    places = [*panel.central, *((kind, None) for kind in panel.reactor)]
    return [
        Symbol(f"{letter}{number}", panel.heading, kind, circuit)
        for number, (kind, circuit) in enumerate(places, 1)
    ]
