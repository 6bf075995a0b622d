import System

/// An environment variable that replaces a key of the configuration file.
///
/// `BLUEFLEET_MQTT_URL` replaces the key `url` of the section `mqtt`.
package struct EnvironmentVariable: Sendable {
    package static let prefix = "BLUEFLEET_"

    /// The environment variables of this process.
    package static let ofProcess: [String: String] = {
        let lines = (TextFile.read("/proc/self/environ") ?? "").split(separator: "\0")
        let pairs = lines.compactMap { line -> (String, String)? in
            line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[$0...].dropFirst())) }
        }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// The name of the variable for the address of the broker.
    package static let brokerURL = prefix + "MQTT_URL"

    package let name: String
    /// The keys from the root of the file to the value.
    package let path: [String]
    /// The row of the key in its table.
    package let row: Section.Row

    /// Returns the variables for the keys of a file: single values at the root and in its sections.
    ///
    /// Names that a user chooses, such as those of devices, have no variables.
    package static func all(of root: Section) -> [EnvironmentVariable] {
        root.rows.flatMap { row -> [EnvironmentVariable] in
            guard let section = row.section else { return [EnvironmentVariable([row.name], row)] }
            guard row.kind == section.name else { return [] }
            return section.rows.filter { $0.section == nil }.map { EnvironmentVariable([row.name, $0.name], $0) }
        }
    }

    private init(_ path: [String], _ row: Section.Row) {
        self.path = path
        self.row = row
        name = Self.prefix + path.map { $0.uppercased() }.joined(separator: "_")
    }

    /// Returns the mapping that has only this value.
    func node(_ text: String, file: Int) throws(YAMLError) -> YAMLNode {
        let start = Position(file: file, line: 1, column: 1)
        let isList = text.hasPrefix("[")
        let value =
            isList
            ? try YAMLParser.parse(Array(text.utf8), file: file)
            : YAMLNode(content: .scalar(text, isPlain: true), position: start)
        return path.reversed().reduce(value) { value, key in
            YAMLNode(
                content: .mapping([YAMLNode.Entry(key: key, keyPosition: start, value: value)]), position: start)
        }
    }
}
