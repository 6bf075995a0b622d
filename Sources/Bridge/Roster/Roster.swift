internal import Bluetooth
internal import JSON

/// What has become of the fleet at run time, beside what the user's file says: added, adopted, renamed, removed.
///
/// The file is never rewritten, and where both say something of the same device, the file counts.
struct Roster: Equatable, Sendable {
    /// A device that was added, and its entry as it was given.
    struct Addition: Equatable, Sendable {
        let name: String
        let entry: JSON.Object
    }

    /// The new name of a device that the file lists; it holds as long as the file means the same device.
    struct Renaming: Equatable, Sendable {
        let address: Address
        let name: String
    }

    var added: [Addition] = []
    /// In the order in which they were found.
    var adopted: [AdoptedDevice] = []
    /// The new names of devices of the file, by those that they have there.
    var renamed: [String: Renaming] = [:]
    /// The addresses of devices that are not wanted, though the file lists them or a rule would adopt them, by name.
    var removed: [String: Address] = [:]
}

extension Roster {
    /// Reads what an earlier run wrote; what is damaged is left out.
    init(_ json: JSON) {
        for member in json["added"]?.object ?? [:] {
            if let entry = member.value.object { added.append(Addition(name: member.name, entry: entry)) }
        }
        adopted = (json["adopted"]?.array ?? []).compactMap { AdoptedDevice($0) }
        for member in json["renamed"]?.object ?? [:] {
            guard let address = member.value["address"]?.string.flatMap({ Address($0) }),
                let name = member.value["name"]?.string
            else { continue }
            renamed[member.name] = Renaming(address: address, name: name)
        }
        for member in json["removed"]?.object ?? [:] {
            removed[member.name] = member.value.string.flatMap { Address($0) }
        }
    }

    var json: JSON {
        let renamed = renamed.sorted { $0.key < $1.key }.map { name, renaming -> (String, JSON) in
            (name, ["address": .string("\(renaming.address)"), "name": .string(renaming.name)])
        }
        let removed = removed.sorted { $0.key < $1.key }.map { ($0.key, JSON.string("\($0.value)")) }
        return [
            "added": .object(JSON.Object(added.map { ($0.name, .object($0.entry)) })),
            "adopted": .array(adopted.map(\.json)), "renamed": .object(JSON.Object(renamed)),
            "removed": .object(JSON.Object(removed)),
        ]
    }
}
