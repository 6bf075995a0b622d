extension Configuration {
    /// Reads the entry of a device that is not in the file, with the same keys and with the profiles of the file.
    ///
    /// - Parameters:
    ///   - name: The name of the device.
    ///   - text: The entry in JSON.
    ///   - checkingFiles: Whether the files named in the entry must be in the folder `keys` of the configuration and have
    ///     valid contents.
    /// - Returns: The device.
    /// - Throws: `EntryError` with up to 20 mistakes.
    package func device(
        named name: String, entry text: String, checkingFiles: Bool = false
    ) throws(EntryError) -> Device {
        // The entry is a further file in the place of the first one: relative paths have the same meaning there.
        let mistakes = Mistakes(
            in: files + files.prefix(1), checksFiles: checkingFiles, toleratesMissingFiles: false,
            clientFile: files.count)
        let node: YAMLNode
        do throws(YAMLError) {
            node = try YAMLParser.parse(Array(text.utf8), file: files.count)
        } catch {
            throw EntryError(problems: [error.message])
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
        return Device(name: name, address: address.value, settings: device.settings)
    }
}

/// The mistakes of a rejected entry of a device.
package struct EntryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The mistakes, each with its key: `characteristics.level.qos: expected a number from 0 to 2, found 3`.
    package let problems: [String]

    package var description: String { problems.joined(separator: "; ") }
}

extension EntryError {
    init(_ mistakes: Mistakes, in node: YAMLNode) {
        problems =
            mistakes.sorted.map { mistake in
                let path = mistake.position.flatMap { node.path(to: $0) } ?? []
                return path.isEmpty ? mistake.message : "\(path.joined(separator: ".")): \(mistake.message)"
            } + (mistakes.isFull ? ["\(Mistakes.maximumOfClient) mistakes: the rest was not checked"] : [])
    }
}
