internal import Glibc

/// Emphasis for what is written to standard output: on a terminal only, and never needed to understand it.
enum Style {
    /// Whether there is to be any: see no-color.org.
    static let isOn = unsafe Terminal.isThere && getenv("NO_COLOR") == nil

    static func bold(_ text: String) -> String { wrap(text, "1") }
    static func green(_ text: String) -> String { wrap(text, "32") }
    static func red(_ text: String) -> String { wrap(text, "31") }
    static func yellow(_ text: String) -> String { wrap(text, "33") }

    private static func wrap(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
