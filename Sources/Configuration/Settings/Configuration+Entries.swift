extension Configuration {
    /// The device of an entry that is not in the file: read by the file's tables, with the file's profiles.
    ///
    /// - Parameters:
    ///   - text: the entry, as JSON.
    ///   - checkingFiles: whether files that it names must exist and be readable.
    package func device(
        named name: String, entry text: String, checkingFiles: Bool = false
    ) throws(EntryError) -> Device {
        let mistakes = Mistakes(in: name, checksFiles: checkingFiles)
        let node: YAMLNode
        do throws(YAMLError) {
            node = try YAMLParser.parse(text)
        } catch {
            throw EntryError(complaints: [error.message])
        }
        let profiles = profiles ?? YAMLNode(content: .mapping([]), position: .start)
        let entry = YAMLNode.Entry(
            key: name, keyPosition: node.position, value: Profile.applied(profiles, to: node, mistakes))
        let root = YAMLNode(content: .mapping([entry]), position: node.position)
        let entries = Device.named.read(root, mistakes) ?? []
        Self.check(entries, mistakes)
        guard mistakes.isEmpty, let device = entries.first?.value, let address = device.address else {
            throw EntryError(mistakes, in: node)
        }
        return Device(name: name, address: address.value, treatment: device.treatment)
    }
}

/// An entry that cannot be used, with all that is wrong with it.
package struct EntryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Each with the key that it is about: `characteristics.level.qos: expected a number from 0 to 2, found 3`.
    package let complaints: [String]

    package var description: String { complaints.joined(separator: "; ") }
}

extension EntryError {
    fileprivate init(_ mistakes: Mistakes, in node: YAMLNode) {
        complaints = mistakes.sorted.map { mistake in
            let path = mistake.position.flatMap { node.path(to: $0) } ?? []
            return path.isEmpty ? mistake.message : "\(path.joined(separator: ".")): \(mistake.message)"
        }
    }
}
