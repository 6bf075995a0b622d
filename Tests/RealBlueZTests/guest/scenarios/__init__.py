"""The scenarios, one function each. They run in this order, on one machine, and each file from top to bottom."""

from . import reference, commands, house, restoration, crowd, questions, bonds, adapters, advertisers, sharing  # noqa: F401, I001 - the order of the scenarios
