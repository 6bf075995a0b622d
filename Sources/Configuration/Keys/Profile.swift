/// What many devices share: a treatment under a name, which the device's own keys override.
enum Profile {
    static let key = Key(
        "profile", .text, example: "climate", "The profile whose keys hold where this entry has none of its own.")

    /// The document with each profile merged into the devices and fleet rules that name it.
    ///
    /// Mappings merge key by key, characteristics thus name by name; everything else replaces what the profile says.
    /// Parts keep the positions they had, so a mistake in a profile is found where it was made.
    static func applied(to root: YAMLNode, _ mistakes: Mistakes) -> YAMLNode {
        let profiles = root["profiles"] ?? YAMLNode(content: .mapping([]), position: root.position)
        return root.mapping { entry in
            switch entry.key {
            case "devices": entry.value.mapping { applied(profiles, to: $0.value, mistakes) }
            case "fleet": entry.value.sequence { applied(profiles, to: $0, mistakes) }
            default: entry.value
            }
        }
    }

    /// An entry with the profile merged into it that it names.
    static func applied(_ profiles: YAMLNode, to node: YAMLNode, _ mistakes: Mistakes) -> YAMLNode {
        guard let reference = node[key.row.name], !reference.isNull,
            let name = Kind<String>.text.read(reference, mistakes)
        else { return node }
        guard let profile = profiles[name] else {
            mistakes.reportUnknown("profile", name, among: profiles.keys, at: reference.position)
            return node
        }
        // Keys that no profile may hold are reported where the profile is read.
        let known = Configuration.Treatment.Keys.section.rows.map(\.name)
        return node.overriding(profile.only(known))
    }
}

extension YAMLNode {
    fileprivate var keys: [String] {
        guard case .mapping(let entries) = content else { return [] }
        return entries.map(\.key)
    }

    /// This mapping with other values; anything else as it is.
    fileprivate func mapping(_ transform: (Entry) -> YAMLNode) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        let transformed = entries.map {
            Entry(key: $0.key, keyPosition: $0.keyPosition, value: transform($0))
        }
        return YAMLNode(content: .mapping(transformed), position: position)
    }

    /// This list with other items; anything else as it is.
    fileprivate func sequence(_ transform: (YAMLNode) -> YAMLNode) -> YAMLNode {
        guard case .sequence(let items) = content else { return self }
        return YAMLNode(content: .sequence(items.map(transform)), position: position)
    }

    fileprivate func only(_ keys: [String]) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        return YAMLNode(content: .mapping(entries.filter { keys.contains($0.key) }), position: position)
    }

    /// This node where both say something, `base` where only it does.
    fileprivate func overriding(_ base: YAMLNode) -> YAMLNode {
        guard case .mapping(let inherited) = base.content else { return self }
        if isNull { return base }
        guard case .mapping(let own) = content else { return self }
        let overridden = inherited.map { entry in
            guard let override = own.first(where: { $0.key == entry.key }) else {
                return Entry(
                    key: entry.key, keyPosition: entry.keyPosition, value: entry.value, isInherited: true)
            }
            return Entry(
                key: entry.key, keyPosition: override.keyPosition, value: override.value.overriding(entry.value))
        }
        // A key that this mapping repeats stays, to be reported.
        var consumed = Set(inherited.map(\.key))
        let added = own.filter { consumed.remove($0.key) == nil }
        return YAMLNode(content: .mapping(overridden + added), position: position)
    }
}
