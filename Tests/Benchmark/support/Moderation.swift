import TestSupport

/// Where the bridge's configuration says how long a busy bus may gather before it is read.
struct Moderation {
    private static let key = "moderation"
    /// The section that has the key; empty: the file itself; nil: this bridge has no such setting.
    private let section: String?

    /// Asks a bridge for the keys of its configuration.
    init(of bluefleet: String) throws {
        let reference = try Command(bluefleet, ["help", "--configuration"]).waitForOutput()
        var heading = ""
        var found: String?
        for line in reference.split(separator: "\n") {
            if line.hasPrefix("## ") {
                heading = line.dropFirst(3).hasPrefix("bluefleet") ? "" : String(line.dropFirst(3))
            }
            if line.hasPrefix("| `\(Self.key)`") { found = heading }
        }
        section = found
    }

    /// What turns it off in a section.
    func off(in section: String) -> String? {
        section == self.section ? "\(Self.key): 0ms" : nil
    }
}
