import Codec

/// Profiles: settings that several devices share, from the configuration or from the library of profiles.
///
/// A device's own keys override the settings of its profile, and a profile's own keys those of the profile that it names.
enum Profile {
    static let key = Key(
        "profile", .text, example: "climate",
        "The profile whose keys apply unless this entry has its own: a name of the section profiles, or MAKER/MODEL for a "
            + "profile that ships with Bluefleet (bluefleet profiles).")

    /// The greatest number of profiles in a row.
    private static let longestChain = 3

    /// The keys that an entry inherits.
    private struct Inheritance {
        let node: YAMLNode
        /// The profile of the library at the end of the chain; nil: there is none.
        let shipped: ShippedProfile?
    }

    /// Returns the document with the profiles merged into the devices, fleet rules and profiles that name them.
    ///
    /// Mappings are merged key by key, and characteristics therefore name by name. Any other value of an entry replaces
    /// the value of the profile. All nodes keep their positions, so that a mistake in a profile is reported there.
    static func applied(to root: YAMLNode, _ mistakes: Mistakes) -> YAMLNode {
        let profiles = root["profiles"] ?? YAMLNode(content: .mapping([]), position: root.position)
        return root.mapping { entry in
            switch entry.key {
            case "profiles":
                // The result is not used: it reports cycles of profiles that no entry uses.
                for profile in entry.value.keys { _ = inheritance(of: profile, in: profiles, mistakes) }
                return entry.value.mapping { applied(profiles, to: $0.value, reporting: false, mistakes) }
            case "devices": return entry.value.mapping { applied(profiles, to: $0.value, mistakes) }
            case "fleet": return entry.value.sequence { applied(profiles, to: $0, mistakes) }
            default: return entry.value
            }
        }
    }

    /// Returns an entry merged with the profile that the entry names.
    ///
    /// - Parameters:
    ///   - profiles: The profiles of the configuration.
    ///   - node: The entry.
    ///   - reporting: Whether wrong parameters are reported; those of a profile are reported for its devices.
    ///   - mistakes: Collects the mistakes.
    /// - Returns: The merged entry.
    static func applied(
        _ profiles: YAMLNode, to node: YAMLNode, reporting: Bool = true, _ mistakes: Mistakes
    ) -> YAMLNode {
        guard let reference = node[key.row.name], !reference.isNull,
            let name = Kind<String>.text.read(reference, mistakes)
        else { return node }
        guard isKnown(name, among: profiles, mistakes) else {
            reportUnknown(name, among: profiles, at: reference.position, mistakes)
            return node
        }
        let inheritance = inheritance(of: name, in: profiles, mistakes)
        let merged = merge(node, over: inheritance.node, mistakes)
        if reporting {
            let given = merged[Configuration.DeviceSettings.Keys.with.row.name]
            inheritance.shipped?.check(parameters: given, at: reference.position, mistakes)
        }
        return merged
    }

    private static func isKnown(_ name: String, among profiles: YAMLNode, _ mistakes: Mistakes) -> Bool {
        profiles[name] != nil || mistakes.profiles.contains(name)
    }

    private static func reportUnknown(
        _ name: String, among profiles: YAMLNode, at position: Position, _ mistakes: Mistakes
    ) {
        let shipped = ProfileLibrary.isName(name) ? mistakes.profiles.library.names : []
        let nearest = name.nearest(in: profiles.keys + shipped)
        guard !shipped.isEmpty, nearest == nil else {
            return mistakes.reportUnknown("profile", name, among: profiles.keys + shipped, at: position)
        }
        mistakes.report(
            "unknown profile \(name.quotedForMessage): bluefleet profiles lists the profiles that ship with Bluefleet",
            at: position)
    }

    /// Returns the keys of a profile merged with those of the profiles that it names, directly or indirectly.
    ///
    /// An unknown profile, a profile that names itself, and more than three profiles in a row are reported.
    private static func inheritance(
        of name: String, in profiles: YAMLNode, _ mistakes: Mistakes
    ) -> Inheritance {
        // Invalid keys of a profile are reported when the profile itself is read.
        let known = Configuration.DeviceSettings.Keys.section.rows.map(\.name)
        var names = [name]
        var chain: [YAMLNode] = []
        var shipped: ShippedProfile?
        var excess: Position?
        while true {
            guard let profile = profiles[names[names.count - 1]] else {
                shipped = mistakes.profiles.profile(named: names[names.count - 1], mistakes)
                if let shipped { chain.append(shipped.node.only(known)) }
                break
            }
            chain.append(profile.only(known))
            guard let reference = profile[key.row.name], !reference.isNull,
                let parent = Kind<String>.text.read(reference, mistakes)
            else { break }
            if names.contains(parent) {
                excess = nil
                // A cycle is found from each of its profiles, and from those that lead to it: it is reported once.
                guard parent == name, name == names.min() else { break }
                let cycle = (names + [parent]).map(\.quotedForMessage).joined(separator: " uses ")
                mistakes.report("the profile uses itself: \(cycle): remove one of these keys", at: reference.position)
                break
            }
            guard isKnown(parent, among: profiles, mistakes) else {
                reportUnknown(parent, among: profiles, at: reference.position, mistakes)
                break
            }
            names.append(parent)
            if names.count == longestChain + 1 { excess = reference.position }
        }
        if let excess {
            let uses = names.map(\.quotedForMessage).joined(separator: " uses ")
            mistakes.report(
                "more than \(longestChain) profiles in a row: \(uses): copy the keys of the last one, and remove this key",
                at: excess)
        }
        // There is no key after a mistake in the file of the library, which is reported.
        let nothing = YAMLNode(content: .mapping([]), position: profiles.position)
        let node = chain.dropLast().reversed().reduce(chain.last ?? nothing) { merge($1, over: $0, mistakes) }
        return Inheritance(node: node, shipped: shipped)
    }

    /// Returns the keys of an entry over those of a profile.
    ///
    /// Characteristics that the entry removes (`NAME: none`) and that the profile does not have are reported.
    private static func merge(_ own: YAMLNode, over base: YAMLNode, _ mistakes: Mistakes) -> YAMLNode {
        let key = Configuration.DeviceSettings.Keys.characteristics.row.name
        let known = base[key]?.keys ?? []
        if case .mapping(let entries)? = own[key]?.content {
            for entry in entries where entry.value.isRemoval && !entry.isInherited && !known.contains(entry.key) {
                mistakes.reportUnknown("characteristic of the profile", entry.key, among: known, at: entry.keyPosition)
            }
        }
        return own.overriding(base, inherits: true)
    }
}

extension YAMLNode {
    /// Whether the value is the word that removes an inherited entry: `none`.
    fileprivate var isRemoval: Bool { content == .scalar("none", isPlain: true) }

    /// The keys of a mapping whose values are `none`.
    var namesOfRemovedEntries: [String] {
        guard case .mapping(let entries) = content else { return [] }
        return entries.filter(\.value.isRemoval).map(\.key)
    }

    /// The mapping without the keys whose values are `none`.
    var withoutRemovedEntries: YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        return YAMLNode(content: .mapping(entries.filter { !$0.value.isRemoval }), position: position)
    }

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
    func only(_ keys: [String]) -> YAMLNode {
        guard case .mapping(let entries) = content else {
            return YAMLNode(content: .mapping([]), position: position)
        }
        return YAMLNode(content: .mapping(entries.filter { keys.contains($0.key) }), position: position)
    }
}
