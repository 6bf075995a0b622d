import Codec

extension Configuration.Share {
    enum Keys {
        static let only = Key(
            "only",
            .list(
                of: Kind<String>.text.map("pattern") { Glob($0) },
                whenEmpty: "the list is empty, so that no device is shared: name a pattern, or write share: false",
                example: "[\"garden/*\"]"),
            example: "[\"garden/*\"]",
            "Patterns of the names of the shared devices: * stands for any text, ? for one character; all if left out.")
        static let rank = Key(
            "rank", .integer(0...1000), default: "100",
            "Which gateway decides: the running one with the smallest rank, at the next change; then the name that sorts first."
        )

        static let seat = Key(
            "seat", Configuration.Share.Seat.kind, example: "{etcd: [http://a:2379, http://b:2379, http://c:2379]}",
            "A lock in etcd that a gateway must hold while it decides, for a cluster of brokers that may split.")

        static let section = Section(
            "share", only, rank, seat, example: "{only: [\"garden/*\"]}",
            advice: [
                "devices": "did you mean 'only'?", "match": "did you mean 'only'?", "priority": "did you mean 'rank'?",
                "except": "only names the shared devices", "lock": "did you mean 'seat'?",
                "etcd": "write seat: {etcd: [http://HOST:2379]}",
            ])
    }

    private static let mapping = Kind.mapping(Keys.section) { reader in
        Configuration.Share(only: reader[Keys.only], rank: reader[Keys.rank], seat: reader[Keys.seat])
    }

    /// `true`, `false`, or a mapping with the keys of the section; nil: the gateway shares no device.
    static let kind = Kind<Configuration.Share?>.either("boolean or share", section: Keys.section) { node in
        switch node.content {
        case .mapping: return mapping.map { $0 }
        case .sequence: return list
        case .scalar: break
        }
        return Kind<Bool>.boolean.map("boolean or share") { $0 ? standard : nil }
    }

    /// A list, which is no valid value.
    private static let list = Kind<Configuration.Share?>("boolean or share") { node, mistakes in
        mistakes.report("expected true, or a mapping such as \(Keys.section.sample), found a list", at: node.position)
        return nil
    }

    /// The value of `share: true`.
    private static let standard = Configuration.Share(
        only: Keys.only.fallback ?? nil, rank: Keys.rank.fallback ?? 100, seat: nil)
}

extension Configuration {
    /// Warns about patterns that match no shared device, and about devices that cannot be shared.
    static func checkShare(
        _ share: Share?, _ node: YAMLNode?, _ devices: [Device], _ fleet: [FleetRule], _ mistakes: Mistakes
    ) {
        guard let share, let node else { return }
        if case .sequence(let patterns)? = node[Share.Keys.only.row.name]?.content, fleet.isEmpty {
            for (pattern, glob) in zip(patterns, share.only ?? [])
            where !devices.contains(where: { glob.matches($0.name) }) {
                mistakes.warn("no device has a name like \(glob.pattern.quotedForMessage)", at: pattern.position)
            }
        }
        let fixed = devices.filter { share.matches($0.name) && !share.includes($0) }.map(\.name)
        guard let first = fixed.first else { return }
        let rest = fixed.count > 1 ? " and \(fixed.count - 1) more" : ""
        mistakes.warn(
            "\(first.quotedForMessage)\(rest): not shared, because of history: list such a device in the file of one "
                + "gateway only", at: node.position)
    }
}
