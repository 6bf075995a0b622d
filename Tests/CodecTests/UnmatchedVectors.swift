/// The vectors that the table does not match, and why.
enum UnmatchedVectors {
    /// The reason for each of them.
    static let reasons = Dictionary(
        uniqueKeysWithValues: groups.flatMap { reason, ids in
            ids.split(whereSeparator: \.isWhitespace).map { (String($0), reason) }
        })

    private static let groups = [
        (
            "only the company's data: which device it is, its service data say, or somebody who knows it",
            """
            adv-1036 adv-1043 adv-1060 adv-1069 adv-1076 adv-1086 adv-1093 adv-1097 adv-1117 adv-1121 adv-1122 adv-1159
            adv-1164 adv-1171 adv-1172 adv-1174 adv-1176 adv-1178
            """
        ),
        ("values of earlier packets, which a reading does not keep", "adv-0497 adv-0877 adv-0929 adv-0930"),
        ("data under many identifiers, of which only earlier packets tell the newest", "adv-0849 adv-0889"),
        ("a device with a key is not believed without", "adv-0465"),
        ("digits that are none, or none at all", "adv-0018 adv-0020 adv-0375"),
        (
            "buttons are counted otherwise; here they have names",
            "adv-0234 adv-0244 adv-0249 adv-0253 adv-0259 adv-0264 adv-0268 adv-0273 adv-0278 adv-0279 adv-0424"
        ),
        ("raw bits, where the reading has names", "adv-0114 adv-0117 adv-0120"),
        ("how far it is closed; a reading says how far it is open", "adv-0412 adv-0414 adv-0415"),
        (
            "other words and other steps for the same bits",
            "adv-0321 adv-0959 adv-1126"
        ),
        ("a byte with a sign for one, without for the other of two projects", "adv-0079 adv-0108"),
        ("the bytes of each number in the wrong order, as the sum of the three shows", "adv-0314 adv-0317"),
        ("0 °C where there is no probe, or no alarm", "adv-0649 adv-0651 adv-0656 adv-0665"),
        ("guessed from another value: a voltage from a percentage", "adv-1016"),
        ("a keg of an uncommon size, by its size", "adv-0750"),
        ("not in the packet: kinds of devices, what else a light says", "adv-0136 adv-0368"),
        ("the address is in data of another maker", "adv-0457"),
        ("the service is not told", "adv-0454"),
        ("degrees Celsius with digits of the humidity", "adv-0022"),
    ]
}
