package import Bluetooth
package import Contract
package import JSON

/// The changes of the fleet at run time: added, adopted, renamed and removed devices, and options of devices.
///
/// The user's configuration file is never rewritten, and it takes precedence over the roster.
package struct Roster: Equatable, Sendable {
    /// An added device, with its entry as the client sent it.
    package struct Addition: Equatable, Sendable {
        package let name: String
        package let entry: JSON.Object
        /// The size of the entry, in bytes of JSON.
        package let size: Int
        /// The address in the entry; nil if it has none.
        package var address: Address? { entry["address"]?.string.flatMap { Address($0) } }
        /// The number of characteristics in the entry, without those of a profile.
        package let characteristicCount: Int

        package init(name: String, entry: JSON.Object) {
            self.name = name
            self.entry = entry
            characteristicCount = entry["characteristics"]?.object?.count ?? 0
            size = JSON.object(entry).description.utf8.count
        }
    }

    /// The new name of a device that the configuration file lists.
    ///
    /// It applies as long as the file lists the device with this address.
    package struct Renaming: Equatable, Sendable {
        package let address: Address
        package let name: String

        package init(address: Address, name: String) {
            self.address = address
            self.name = name
        }
    }

    /// The settings that replace those of the configuration of a device.
    package struct Options: Equatable, Sendable {
        package let settings: JSON.Object
        /// The size of the settings, in bytes of JSON.
        package let size: Int

        package init(_ settings: JSON.Object) {
            self.settings = settings
            size = JSON.object(settings).description.utf8.count
        }
    }

    package var added: [Addition] = []
    /// The adopted devices, in the order of adoption.
    package var adopted: [AdoptedDevice] = []
    /// The new names of devices, by their names in the configuration file.
    package var renamed: [String: Renaming] = [:]
    /// The addresses of removed devices that the configuration file lists or a fleet rule would adopt, by name.
    package var removed: [String: Address] = [:]
    /// The identity addresses of removed devices, by their addresses in the configuration file.
    package var identities: [Address: Address] = [:]
    /// The options of devices, by address.
    package var options: [Address: Options] = [:]
    /// The revisions of the devices whose changes all gateways get that share them; also of removed devices.
    package var revisions: [Address: FleetRevision] = [:]

    package init() {}
}

extension Roster {
    /// Loads the roster of an earlier run; damaged parts are left out.
    package init(_ json: JSON) {
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
        for member in json["identities"]?.object ?? [:] {
            if let address = Address(member.name) { identities[address] = member.value.string.flatMap { Address($0) } }
        }
        for member in json["options"]?.object ?? [:] {
            if let address = Address(member.name) { options[address] = member.value.object.map(Options.init) }
        }
        for member in json["revisions"]?.object ?? [:] {
            if let address = Address(member.name) { revisions[address] = FleetRevision(member.value) }
        }
    }

    package var json: JSON {
        let renamed = renamed.sorted { $0.key < $1.key }.map { name, renaming -> (String, JSON) in
            (name, ["address": .text(renaming.address), "name": .string(renaming.name)])
        }
        let removed = removed.sorted { $0.key < $1.key }.map { ($0.key, JSON.text($0.value)) }
        let options = options.sorted { $0.key.value < $1.key.value }.map {
            ("\($0.key)", JSON.object($0.value.settings))
        }
        let identities = identities.sorted { $0.key.value < $1.key.value }.map {
            ("\($0.key)", JSON.text($0.value))
        }
        var members: JSON.Object = [
            "added": .object(JSON.Object(added.map { ($0.name, .object($0.entry)) })),
            "adopted": .array(adopted.map(\.json)), "renamed": .object(JSON.Object(renamed)),
            "removed": .object(JSON.Object(removed)), "identities": .object(JSON.Object(identities)),
            "options": .object(JSON.Object(options)),
        ]
        if !revisions.isEmpty {
            let revisions = revisions.sorted { $0.key.value < $1.key.value }.map { ("\($0.key)", $0.value.json) }
            members["revisions"] = .object(JSON.Object(revisions))
        }
        return .object(members)
    }
}
