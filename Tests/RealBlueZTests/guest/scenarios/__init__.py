"""What is proven on the real bluetoothd, one function each, all on one machine: part after part, from top to bottom."""

from . import strangers, commands, house, restoration, crowd, bonds, adapters  # noqa: F401, I001 - they run in this order
