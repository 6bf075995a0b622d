import Codec

/// The rules for names that become part of a topic.
///
/// MQTT 5, 4.7: no wildcards, no NUL; brokers and libmosquitto refuse control characters and noncharacters too.
/// Home Assistant makes its ids of letters and digits, and bounds them to 255 characters.
package enum TopicName {
    /// The first level that no device's name may have.
    private static let bridge = "bridge"
    /// The first levels that no characteristic's name may have.
    static let ownOfDevices: Set = ["availability", "connection", "info", "request", "response"]

    private static let limit = 255

    /// What is wrong with a device's name, if anything.
    package static func complaint(aboutDevice name: String) -> String? {
        guard levels(of: name).first == bridge else { return complaint(about: name) }
        return "the name \(name.quotedForMessage) is taken: the gateway's own topics are below it"
    }

    /// What is wrong with a characteristic's name, if anything.
    package static func complaint(aboutCharacteristic name: String) -> String? {
        guard isTaken(name) else { return complaint(about: name) }
        return "the name \(name.quotedForMessage) is taken: each device has such a topic of its own"
    }

    /// Whether a characteristic of this name would be among its device's own topics.
    static func isTaken(_ name: String) -> Bool {
        levels(of: name).first.map(ownOfDevices.contains) ?? false
    }

    /// What is wrong with a name of one or more levels, if anything.
    static func complaint(about name: String) -> String? {
        let levels = levels(of: name)
        if name.isEmpty { return "a name may not be empty" }
        if levels.contains(where: \.isEmpty) {
            return "the name \(name.quotedForMessage) has an empty level: no '/' at either end, and never two together"
        }
        if let scalar = name.unicodeScalars.first(where: isForbidden) {
            return "the name \(name.quotedForMessage) holds \(String(scalar).quotedForMessage), which no MQTT topic may"
        }
        if name.utf8.first == UInt8(ascii: "$") {
            return "the name \(name.quotedForMessage) begins with '$', which MQTT keeps for brokers"
        }
        if name.utf8.count > limit {
            return "the name \(name.quotedForMessage) is longer than \(limit) bytes, which Home Assistant cannot carry"
        }
        if let level = levels.first(where: { !$0.contains { $0.isLetter || $0.isNumber } }) {
            return "the name \(name.quotedForMessage) has a level without letters or digits, "
                + "\(level.quotedForMessage), which Home Assistant cannot carry"
        }
        return nil
    }

    /// The levels of a topic, empty ones too.
    static func levels(of name: String) -> [String] {
        // Byte by byte, as brokers do: to Swift, a slash and an accent that combines with it are another character.
        name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// Text from elsewhere as one level of a topic; empty when nothing usable is in it.
    static func cleaned(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars.prefix(limit / 4) {
            name.unicodeScalars.append(isForbidden(scalar) || scalar == "/" || scalar == "$" ? "_" : scalar)
        }
        return name.contains { $0.isLetter || $0.isNumber } ? name : ""
    }

    /// What a gateway is called that has no other name than its host's.
    package static func ofGateway(onHost name: String) -> String {
        if complaint(about: name) == nil, levels(of: name).count == 1 { return name }
        let usable = cleaned(name)
        return usable.isEmpty ? "gateway" : usable
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "+" || scalar == "#" || isRefusedAnywhere(scalar)
    }

    /// Whether brokers and libmosquitto refuse a character in whatever MQTT carries as text.
    static func isRefusedAnywhere(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
    }
}
