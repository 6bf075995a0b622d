"""The differences between `bluefleet simulate` and bluetoothd, each with its reason.

All other messages are equal and in the same order.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """A text that is removed from both transcripts before the comparison; empty lines are removed too."""

    name: str
    reason: str
    text: str
    instead: str = ""


DIFFERENCES = [
    Difference(
        "the database hash",
        "bluetoothd shows the value of 2B2A, a hash over the attributes; the simulator has a constant.",
        r"(/1801>, UUID: <s '00002b2a-[^']*'>, Value: <ay) '[0-9a-f]*'",
        r"\1 hash",
    ),
    Difference(
        "the adapter with an agent",
        "bluetoothd is pairable while a client has registered an agent; a central does not use that.",
        r"^signal PropertiesChanged \S+ org.bluez.Adapter1 {Pairable: <b (True|False)>} without \[\]$",
    ),
    Difference(
        "the signal of a connection",
        "bluetoothd 5.66 signals Connected only if ATT is ready before the kernel reports the connection; a client "
        "must read the property. The simulator always signals it; its fault 'connect without link' covers the other case.",
        r"^signal PropertiesChanged \S+ org.bluez.Device1 {Connected: <b True>} without \[\]$",
    ),
]


def without_differences(sentence: str) -> str:
    for difference in DIFFERENCES:
        sentence = re.sub(difference.text, difference.instead, sentence)
    return sentence
