/// The vectors that the table does not match, and the reasons.
enum UnmatchedVectors {
    /// The reason for each vector.
    static let reasons = Dictionary(
        uniqueKeysWithValues: groups.flatMap { reason, ids in
            ids.split(whereSeparator: \.isWhitespace).map { (String($0), reason) }
        })

    private static let groups = [
        (
            "the vector has only manufacturer data; the service data would identify the device",
            """
            adv-1036 adv-1043 adv-1060 adv-1069 adv-1076 adv-1086 adv-1093 adv-1097 adv-1117 adv-1121 adv-1122 adv-1159
            adv-1164 adv-1171 adv-1172 adv-1174 adv-1176 adv-1178
            """
        ),
        ("the vector repeats values of earlier packets", "adv-0497 adv-0877 adv-0929 adv-0930"),
        (
            "the vector has data under many identifiers; only earlier packets identify the newest one",
            "adv-0849 adv-0889"
        ),
        ("the packet is not encrypted, but the device has a key", "adv-0465"),
        ("the digits are invalid or missing", "adv-0018 adv-0020 adv-0375"),
        (
            "the vector numbers the buttons; the reading has names",
            "adv-0234 adv-0244 adv-0249 adv-0253 adv-0259 adv-0264 adv-0268 adv-0273 adv-0278 adv-0279 adv-0424"
        ),
        ("the vector has raw bits; the reading has names", "adv-0114 adv-0117 adv-0120"),
        ("the vector has the closed share; the reading has the open share", "adv-0412 adv-0414 adv-0415"),
        (
            "the vector has other names and steps for the same bits",
            "adv-0321 adv-0959 adv-1126"
        ),
        ("two projects disagree about the sign of a byte", "adv-0079 adv-0108"),
        ("the vector has a wrong byte order; the sum of the three numbers proves it", "adv-0314 adv-0317"),
        ("the vector has 0 °C for a missing probe or alarm", "adv-0649 adv-0651 adv-0656 adv-0665"),
        (
            "the maker's library reads no illuminance in an event any more (Bluetooth-Devices/qingping-ble 1.1.2)",
            "adv-0804 adv-0806"
        ),
        ("the vector derives the voltage from a percentage", "adv-1016"),
        ("the vector names a keg of an uncommon size", "adv-0750"),
        ("the value is not in the packet", "adv-0136 adv-0368"),
        ("the address is in the data of another company", "adv-0457"),
        ("the vector does not name the service", "adv-0454"),
        ("the vector's temperature contains digits of the humidity", "adv-0022"),
    ]
}
