"""Saying no."""


class OrderRefused(Exception):
    """An order that breaks a rule; ``rule`` is the rule's name. The game stays as it was."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


def heed(rule: str) -> None:
    """Refuse, if there is a rule to name."""
    if rule:
        raise OrderRefused(rule)
