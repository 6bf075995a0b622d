import Codec

/// The rules for names in topics.
///
/// MQTT 5 (4.7) does not allow wildcards and NUL. Brokers and libmosquitto also reject control characters and
/// noncharacters.
/// Home Assistant derives identifiers from the letters and digits of a name, and limits them to 255 characters.
package enum TopicName {
    /// The first level, after the prefix, of the topics of gateways.
    package static let gatewayLevel = "bridge"
    /// The first levels that are reserved for the topics of a device.
    static let ownOfDevices: Set = ["availability", "connection", "info", "request", "response"]

    private static let limit = 255

    /// Returns the problem with the name of a device; nil if the name is valid.
    package static func problem(inDeviceName name: String) -> String? {
        guard firstLevel(of: name) == gatewayLevel else { return problem(in: name) }
        return "the name \(name.quotedForMessage) is reserved for the topics of the gateway: choose another one"
    }

    /// Returns the problem with the name of a characteristic or advertised field; nil if the name is valid.
    package static func problem(inCharacteristicName name: String) -> String? {
        guard isReserved(name) else { return problem(in: name) }
        return "the name \(name.quotedForMessage) is reserved for a topic of the device: choose another one"
    }

    /// Returns whether the first level of a name is reserved for the topics of a device, e.g.
    ///
    /// `info`.
    static func isReserved(_ name: String) -> Bool {
        ownOfDevices.contains(firstLevel(of: name))
    }

    /// Returns the problem with a name of one or more levels; nil if the name is valid.
    package static func problem(in name: String) -> String? {
        if name.isEmpty { return "a name must not be empty" }
        // First of all: a client can choose a long name, and the other rules would take long.
        if name.utf8.count > limit {
            return "the name \(name.quotedForMessage) is longer than \(limit) bytes, the limit of Home Assistant"
        }
        let levels = levels(of: name)
        if levels.contains(where: \.isEmpty) {
            return "the name \(name.quotedForMessage) has an empty level: remove the extra '/'"
        }
        if let scalar = name.unicodeScalars.first(where: isForbidden) {
            return
                "the name \(name.quotedForMessage) contains \(String(scalar).quotedForMessage), which MQTT topics do not allow: choose another name"
        }
        if let scalar = deceptiveScalar(in: name) {
            return
                "the name contains \(code(of: scalar)), an invisible character that makes names look like others: remove it"
        }
        if name.utf8.first == UInt8(ascii: "$") {
            return "the name \(name.quotedForMessage) begins with '$', which MQTT reserves for brokers"
        }
        if let level = levels.first(where: { !$0.contains { $0.isLetter || $0.isNumber } }) {
            return
                "the name \(name.quotedForMessage) has the level \(level.quotedForMessage) without letters or digits, "
                + "which Home Assistant does not support"
        }
        return nil
    }

    private static func firstLevel(of name: String) -> String {
        String(Substring(name.utf8.prefix { $0 != UInt8(ascii: "/") }))
    }

    /// Returns the levels of a topic, including empty ones.
    static func levels(of name: String) -> [String] {
        // Split by bytes, like brokers: for Swift, a slash with a combining accent is a different character.
        name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// Returns an untrusted text as one level of a topic; empty if the result has no letter or digit.
    static func cleaned(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars.prefix(limit / 4) {
            let isUnseen = isInvisible(scalar) || isDeceptive(scalar, after: name.unicodeScalars.last)
            let isReplaced = isForbidden(scalar) || isUnseen || scalar == "/" || scalar == "$"
            name.unicodeScalars.append(isReplaced ? "_" : scalar)
        }
        return name.contains { $0.isLetter || $0.isNumber } ? name : ""
    }

    /// Returns the name of a gateway without a configured name: the host name, or `gateway` if that is not usable.
    package static func ofGateway(onHost name: String) -> String {
        if problem(in: name) == nil, levels(of: name).count == 1 { return name }
        let usable = cleaned(name)
        return usable.isEmpty ? "gateway" : usable
    }

    /// Returns the first invisible character that makes a text look like another one, or changes the order of the
    /// visible text; nil if there is none.
    static func deceptiveScalar(in text: String) -> Unicode.Scalar? {
        let scalars = text.unicodeScalars
        return zip(scalars, [nil] + scalars.map(Optional.some)).first { isDeceptive($0, after: $1) }?.0
    }

    private static func isDeceptive(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
        switch scalar.value {
        // Joiners, variation selectors, and the tags of some flags join letters, e.g. in Persian, or parts of an emoji.
        case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0020...0xE007F:
            guard let previous else { return true }
            return previous.isASCII && previous.properties.isAlphabetic
        // The separators of lines and paragraphs, and the empty pattern of Braille.
        case 0x2028, 0x2029, 0x2800: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Returns the code point of a character, such as `U+202E`.
    static func code(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Returns whether a character has no glyph; some of them, such as U+202E, change the order of the visible text.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "+" || scalar == "#" || isInvalidInMQTT(scalar)
    }

    /// Returns whether brokers and libmosquitto reject a character in any text of MQTT.
    static func isInvalidInMQTT(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
    }
}
