"""Where `bluefleet simulate` does not say what bluetoothd says, by name and each with its reason.

What is not here is the same, word for word and in the same order.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """Text that is taken out of both transcripts before they are compared; lines that become empty go."""

    name: str
    reason: str
    text: str
    instead: str = ""


DIFFERENCES = [
    Difference(
        "the database hash",
        "bluetoothd shows what it read of 2B2A (a hash over the attributes); nobody needs the simulator's.",
        r"(/1801>, UUID: <s '00002b2a-[^']*'>, Value: <ay) '[0-9a-f]*'",
        r"\1 hash",
    ),
    Difference(
        "the adapter with an agent",
        "bluetoothd lets itself be paired with while somebody has registered an agent; a central has no use for that.",
        r"^signal PropertiesChanged \S+ org.bluez.Adapter1 {Pairable: <b (True|False)>} without \[\]$",
    ),
    Difference(
        "the link's signal",
        "bluetoothd 5.66 signals Connected or not, as ATT or the kernel's report of the link comes first; who connects "
        "must ask. The simulator always signals it; its fault 'connect without link' is for what may go wrong there.",
        r"^signal PropertiesChanged \S+ org.bluez.Device1 {Connected: <b True>} without \[\]$",
    ),
]


def without_differences(sentence: str) -> str:
    for difference in DIFFERENCES:
        sentence = re.sub(difference.text, difference.instead, sentence)
    return sentence
