"""What a scenario is, and all of them in the order in which they run."""

from collections.abc import Awaitable, Callable

from machine import Machine


class NotHere(Exception):
    """A scenario that cannot be played on this machine, and why: it says so instead of going on."""


Scenario = Callable[[Machine], Awaitable[None]]
SCENARIOS: list[Scenario] = []


def scenario(function: Scenario) -> Scenario:
    """Adds a scenario to those that run. Its name is the function's, with spaces; the Swift suite knows it by that."""
    SCENARIOS.append(function)
    return function
