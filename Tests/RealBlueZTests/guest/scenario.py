"""The scenarios, in the order in which they run."""

from collections.abc import Awaitable, Callable

from machine import Machine


class NotSupported(Exception):
    """Raised by a scenario that cannot run on this machine, with the reason; the scenario is skipped."""


Scenario = Callable[[Machine], Awaitable[None]]
SCENARIOS: list[Scenario] = []


def scenario(function: Scenario) -> Scenario:
    """Registers a scenario. Its name in the Swift suite is the function's name with spaces."""
    SCENARIOS.append(function)
    return function
