import Codec

extension Configuration.EntityLabel {
    enum Keys {
        static let title = Key("title", .text, example: "Soil moisture", "The name that Home Assistant shows.")
        static let icon = Key("icon", .icon, example: "mdi:water", "The icon in Home Assistant.")
        static let enabled = Key(
            "enabled", .boolean, example: "false",
            "Whether Home Assistant enables the entity when it first appears. If left out, facts about the device such as its "
                + "address or a packet counter are not enabled.")

    }

    init(_ reader: MappingReader) {
        self.init(title: reader[Keys.title], icon: reader[Keys.icon], isEnabled: reader[Keys.enabled])
    }

    /// Whether all values are nil.
    var isEmpty: Bool { title == nil && icon == nil && isEnabled == nil }
}

extension Kind where Value == String {
    /// The name of an icon in Home Assistant such as `mdi:water`.
    static var icon: Kind {
        text.map("icon") { text throws(InvalidValue) in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            let isName =
                parts.count == 2
                && parts.allSatisfy { part in
                    !part.isEmpty && part.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains($0) }
                }
            guard isName else {
                let name = text.hasPrefix("mdi") ? text.dropFirst(3).drop { "-:".contains($0) } : text[...]
                let isWord = !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "-") }
                let advice = isWord ? ": did you mean mdi:\(name)?" : ""
                throw "expected an icon such as mdi:water, found \(text.quotedForMessage)\(advice)"
            }
            return text
        }
    }
}
