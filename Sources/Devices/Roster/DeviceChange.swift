package import Bluetooth
package import JSON

/// All that has changed on one device at run time, for other gateways that share it.
///
/// Empty: the device is as in the configuration file, or was added and removed again.
package struct DeviceChange: Equatable, Sendable {
    /// The entry of an added device.
    package var added: Roster.Addition?
    /// A device that a fleet rule has adopted.
    package var adopted: AdoptedDevice?
    /// The name in the configuration file and the new name of a renamed device.
    package var renamed: Renaming?
    /// The name of a removed device that the configuration file lists or a fleet rule would adopt.
    package var removed: String?
    /// The identity address of a removed device.
    package var identity: Address?
    package var options: JSON.Object?

    package struct Renaming: Equatable, Sendable {
        package let listedName: String
        package let name: String
    }

    package init() {}

    package var isEmpty: Bool { self == DeviceChange() }

    /// Whether a request has changed the device, in addition to its adoption.
    package var isByRequest: Bool {
        var others = self
        if adopted?.isRenamed == false { others.adopted = nil }
        return !others.isEmpty
    }

    /// The names that the device has or had.
    package var names: [String] {
        [added?.name, adopted?.name, renamed?.listedName, renamed?.name, removed].compactMap(\.self)
    }

    package var content: JSON.Object {
        var members: JSON.Object = [:]
        if let added { members["added"] = ["name": .string(added.name), "entry": .object(added.entry)] }
        members.add("adopted", adopted?.json)
        if let renamed {
            members["renamed"] = ["listed": .string(renamed.listedName), "name": .string(renamed.name)]
        }
        members.add("removed", removed)
        members.add("identity", text: identity)
        members.add("options", options.map { .object($0) })
        return members
    }

    /// Reads the content of a change that another gateway has published; nil if a member is not valid, or belongs to a device
    /// with another address.
    package init?(_ content: JSON.Object, of address: Address) {
        let json = JSON.object(content)
        if let member = json["added"] {
            guard let name = member["name"]?.string, let entry = member["entry"]?.object else { return nil }
            let addition = Roster.Addition(name: name, entry: entry)
            guard addition.address == address else { return nil }
            added = addition
        }
        if let member = json["adopted"] {
            guard let device = AdoptedDevice(member), device.address == address else { return nil }
            adopted = device
        }
        if let member = json["renamed"] {
            guard let listedName = member["listed"]?.string, let name = member["name"]?.string else { return nil }
            renamed = Renaming(listedName: listedName, name: name)
        }
        if let member = json["removed"] {
            guard let name = member.string else { return nil }
            removed = name
        }
        if let member = json["identity"] {
            guard let identity = member.string.flatMap({ Address($0) }) else { return nil }
            self.identity = identity
        }
        if let member = json["options"] {
            guard let options = member.object else { return nil }
            self.options = options
        }
    }
}
