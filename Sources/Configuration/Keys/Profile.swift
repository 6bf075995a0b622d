/// Profiles: settings that several devices share.
///
/// A device's own keys override the settings of its profile.
enum Profile {
    static let key = Key(
        "profile", .text, example: "climate", "The profile whose keys apply unless this entry has its own.")

    /// Returns the document with the profiles merged into the devices and fleet rules that name them.
    ///
    /// Mappings are merged key by key, and characteristics therefore name by name. Any other value of an entry replaces
    /// the value of the profile. All nodes keep their positions, so that a mistake in a profile is reported there.
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

    /// Returns an entry merged with the profile that the entry names.
    static func applied(_ profiles: YAMLNode, to node: YAMLNode, _ mistakes: Mistakes) -> YAMLNode {
        guard let reference = node[key.row.name], !reference.isNull,
            let name = Kind<String>.text.read(reference, mistakes)
        else { return node }
        guard let profile = profiles[name] else {
            mistakes.reportUnknown("profile", name, among: profiles.keys, at: reference.position)
            return node
        }
        // Invalid keys of a profile are reported when the profile itself is read.
        let known = Configuration.DeviceSettings.Keys.section.rows.map(\.name)
        return node.overriding(profile.only(known))
    }
}

extension YAMLNode {
    fileprivate var keys: [String] {
        guard case .mapping(let entries) = content else { return [] }
        return entries.map(\.key)
    }

    /// Returns a mapping with transformed values; any other node is returned unchanged.
    fileprivate func mapping(_ transform: (Entry) -> YAMLNode) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        let transformed = entries.map {
            Entry(key: $0.key, keyPosition: $0.keyPosition, value: transform($0))
        }
        return YAMLNode(content: .mapping(transformed), position: position)
    }

    /// Returns a list with transformed items; any other node is returned unchanged.
    fileprivate func sequence(_ transform: (YAMLNode) -> YAMLNode) -> YAMLNode {
        guard case .sequence(let items) = content else { return self }
        return YAMLNode(content: .sequence(items.map(transform)), position: position)
    }

    fileprivate func only(_ keys: [String]) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        return YAMLNode(content: .mapping(entries.filter { keys.contains($0.key) }), position: position)
    }

    /// Returns this node merged with `base`.
    ///
    /// This node has priority.
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
        // A duplicate key of this mapping is kept, so that the duplicate is reported.
        var consumed = Set(inherited.map(\.key))
        let added = own.filter { consumed.remove($0.key) == nil }
        return YAMLNode(content: .mapping(overridden + added), position: position)
    }
}
