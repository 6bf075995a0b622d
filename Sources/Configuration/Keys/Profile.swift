import Codec

/// Profiles: settings that several devices share.
///
/// A device's own keys override the settings of its profile, and a profile's own keys those of the profile that it names.
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
            case "profiles":
                // The result is not used: it reports unknown profiles and cycles of profiles that no entry uses.
                for profile in entry.value.keys { _ = resolved(profile, in: profiles, mistakes) }
                return entry.value
            case "devices": return entry.value.mapping { applied(profiles, to: $0.value, mistakes) }
            case "fleet": return entry.value.sequence { applied(profiles, to: $0, mistakes) }
            default: return entry.value
            }
        }
    }

    /// Returns an entry merged with the profile that the entry names.
    static func applied(_ profiles: YAMLNode, to node: YAMLNode, _ mistakes: Mistakes) -> YAMLNode {
        guard let reference = node[key.row.name], !reference.isNull,
            let name = Kind<String>.text.read(reference, mistakes)
        else { return node }
        guard profiles[name] != nil else {
            mistakes.reportUnknown("profile", name, among: profiles.keys, at: reference.position)
            return node
        }
        return node.overriding(resolved(name, in: profiles, mistakes), inherits: true)
    }

    /// Returns the keys of a profile merged with those of the profiles that it names, directly or indirectly.
    ///
    /// An unknown profile and a profile that names itself are reported.
    private static func resolved(_ name: String, in profiles: YAMLNode, _ mistakes: Mistakes) -> YAMLNode {
        // Invalid keys of a profile are reported when the profile itself is read.
        let known = Configuration.DeviceSettings.Keys.section.rows.map(\.name)
        var names = [name]
        var chain: [YAMLNode] = []
        while let profile = profiles[names[names.count - 1]] {
            chain.append(profile.only(known))
            guard let reference = profile[key.row.name], !reference.isNull,
                let parent = Kind<String>.text.read(reference, mistakes)
            else { break }
            if names.contains(parent) {
                // A cycle is found from each of its profiles, and from those that lead to it: it is reported once.
                guard parent == name, name == names.min() else { break }
                let cycle = (names + [parent]).map(\.quotedForMessage).joined(separator: " uses ")
                mistakes.report("the profile uses itself: \(cycle): remove one of these keys", at: reference.position)
                break
            }
            if profiles[parent] == nil {
                mistakes.reportUnknown("profile", parent, among: profiles.keys, at: reference.position)
            }
            names.append(parent)
        }
        // The name is not found if it is in the second of two mappings of profiles, which is reported as a duplicate.
        guard let own = chain.first else { return YAMLNode(content: .mapping([]), position: profiles.position) }
        return chain.dropFirst().reduce(own) { $0.overriding($1, inherits: true) }
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

    /// Returns a mapping without the other keys; any other node is an empty mapping.
    fileprivate func only(_ keys: [String]) -> YAMLNode {
        guard case .mapping(let entries) = content else {
            return YAMLNode(content: .mapping([]), position: position)
        }
        return YAMLNode(content: .mapping(entries.filter { keys.contains($0.key) }), position: position)
    }
}
