import Glibc

/// Emphasis for standard output, on terminals only.
///
/// The output is understandable without emphasis.
enum Style {
    /// Whether emphasis is used (see no-color.org).
    static let isOn = unsafe Terminal.isAvailable && getenv("NO_COLOR") == nil

    static func bold(_ text: String) -> String { wrap(text, "1") }
    static func green(_ text: String) -> String { wrap(text, "32") }
    static func red(_ text: String) -> String { wrap(text, "31") }
    static func yellow(_ text: String) -> String { wrap(text, "33") }

    private static func wrap(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
