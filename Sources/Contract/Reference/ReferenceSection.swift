/// One section of the documentation.
struct ReferenceSection: Sendable {
    enum Level: Int, Sendable {
        /// Topics, requests or events.
        case part = 2
        /// Sections that belong together, such as the topics of a device.
        case group
        /// One topic, request or event.
        case item
    }

    let level: Level
    /// The title in Markdown.
    let title: String
    private let texts: [String]

    init(_ level: Level, _ title: String, _ texts: [String] = []) {
        self.level = level
        self.title = title
        self.texts = texts
    }

    init(_ level: Level, _ title: String, _ text: String) {
        self.init(level, title, [text])
    }

    var markdown: String {
        let mark = String(repeating: "#", count: level.rawValue)
        return (["\(mark) \(title)"] + texts).joined(separator: "\n\n")
    }

    /// A link to the section, with its title as the text.
    var link: String { Markdown.link(to: title) }
}
