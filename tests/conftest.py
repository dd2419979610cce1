"""Settings for all tests."""

from hypothesis import Phase, settings

# A game takes as long as it takes, the machine may be busy; and a duel explains itself.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
settings.register_profile("unhurried", deadline=None, phases=PHASES)

# Where CI is set, Hypothesis has chosen its own profile: the same games every time.
if settings.get_current_profile_name() != "ci":
    settings.load_profile("unhurried")
