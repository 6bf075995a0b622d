/// The display names of the entities of one device.
///
/// Home Assistant shows the device's name before the name of an entity, so the latter does not repeat it.
package struct EntityNames {
    /// The last level of the device's name, in words.
    private let device: [String]
    private var uses: [String: Int] = [:]
    private var classUses: [String: Int] = [:]

    package init(device: String, _ drafts: [EntityDraft]) {
        self.device = Self.words(device.split(separator: "/").last.map(String.init) ?? device)
        for draft in drafts {
            uses[draft.subject.shortName, default: 0] += 1
            if let deviceClass = draft.deviceClass { classUses[deviceClass, default: 0] += 1 }
        }
    }

    package func name(of draft: EntityDraft) -> Entity.Name {
        let isAlone = uses[draft.subject.shortName] == 1
        let words = Self.words(isAlone ? draft.subject.shortName : draft.subject.fullName)
        // Home Assistant translates the name of a device class, but no other name.
        if let deviceClass = draft.deviceClass, draft.platform.isNamedByClass, classUses[deviceClass] == 1,
            words == Self.words(deviceClass)
        {
            return .ofItsClass
        }
        let repeatsDevice = words.starts(with: device) { $0.lowercased() == $1.lowercased() }
        let rest = repeatsDevice ? Array(words.dropFirst(device.count)) : words
        return rest.isEmpty ? .ofItsDevice : .text(Self.sentence(rest))
    }

    /// Returns words as one text with a capital first letter: `Rr intervals`.
    ///
    /// A first word that contains capitals keeps its spelling.
    package static func sentence(_ words: [String]) -> String {
        let text = words.joined(separator: " ")
        return words.first == words.first?.lowercased() ? text.prefix(1).uppercased() + text.dropFirst() : text
    }

    package static func words(_ name: String) -> [String] {
        name.split { $0 == "_" || $0 == "/" || $0.isWhitespace }.map(String.init)
    }
}
