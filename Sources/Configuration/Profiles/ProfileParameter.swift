package import Codec

/// A value that a device gives to its profile, such as the number of a Modbus station.
package struct ProfileParameter: Sendable, Equatable {
    /// The value of devices that give none; nil: each device must give one.
    package let standard: String?
    package let title: String?
    /// The least and the greatest number.
    package let least: Decimal?
    package let greatest: Decimal?

    /// Whether the value must be a number.
    private var isNumber: Bool { least != nil || greatest != nil || standard.flatMap { Decimal($0) } != nil }

    /// Returns why a text cannot be the value; nil: it can.
    func problem(with text: String) -> String? {
        guard isNumber else { return nil }
        guard let number = Decimal(text) else { return "expected a number, found \(text.quotedForMessage)" }
        switch (least, greatest) {
        case (let least?, let greatest?) where number < least || number > greatest:
            return "expected a number from \(least) to \(greatest), found \(text)"
        case (let least?, nil) where number < least: return "expected a number from \(least) on, found \(text)"
        case (nil, let greatest?) where number > greatest: return "expected a number up to \(greatest), found \(text)"
        default: return nil
        }
    }

    private enum Keys {
        static let standard = Key(
            "default", .text, example: "255",
            "The value of devices that give none; if left out, each device must give one."
        )
        static let title = Key("title", .text, example: "Modbus address", "What the value means.")
        static let least = Key("min", Kind<Decimal>.number(), example: "1", "The least number.")
        static let greatest = Key("max", Kind<Decimal>.number(), example: "247", "The greatest number.")
        static let section = Section("parameter", standard, title, least, greatest, example: "{default: 255}")
    }

    static let named = Kind<[Named<ProfileParameter>]>.named(
        Kind<ProfileParameter>.mapping(Keys.section) { reader in
            ProfileParameter(
                standard: reader[Keys.standard], title: reader[Keys.title], least: reader[Keys.least],
                greatest: reader[Keys.greatest])
        })
}
