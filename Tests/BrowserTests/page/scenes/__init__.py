"""The scenes, in the order in which they are played: later ones use devices that earlier ones have added."""

from . import values, outages, devices, looks, access, gateways, strangers  # noqa: F401
