"""The odds: how many cards a press of the UNO button brings. Profiles as data, and the small state each one keeps.

Pure: chance comes from the `random.Random` handed in, the state goes out as JSON for the journal. Motors, suspense and
whose press it was live elsewhere.
"""

from controller.odds.errors import OddsError
from controller.odds.known import DEFAULT_PROFILE, FIXED, MEASURED, MOST_CARDS, ORIGINAL, PROFILES, profile
from controller.odds.profiles import Odds, OddsProfile, OddsState
from controller.odds.rhythms import FixedList, Hazard, Rhythm
from controller.odds.sizes import Sizes
from controller.odds.tables import own_profiles

__all__ = [
    "DEFAULT_PROFILE",
    "FIXED",
    "MEASURED",
    "MOST_CARDS",
    "ORIGINAL",
    "PROFILES",
    "FixedList",
    "Hazard",
    "Odds",
    "OddsError",
    "OddsProfile",
    "OddsState",
    "Rhythm",
    "Sizes",
    "own_profiles",
    "profile",
]
