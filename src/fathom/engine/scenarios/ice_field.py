"""An ice field over a part of the sea (scenario.ice-field)."""

from fathom.engine.scenarios.ice import HOLES, freeze, holes, strike_ice
from fathom.engine.special_rule import SpecialRule
from fathom.rules.terrain import Terrain

SPECIAL_RULE = SpecialRule(
    terrain=Terrain(
        name="ice-field",
        about="an ice field: surfacing in it needs a hole (scenario.ice-field)",
        sea=HOLES | {"~": "sea under the ice field"},
        ice="~",
    ),
    drawn=holes,
    compile=freeze,
    surfacing=strike_ice,
)
