package import JSON

/// The gateways that share devices, and the owners of the devices: the data of the response to the request `fleet`.
package struct FleetOverview: Equatable, Sendable {
    /// One shared device, as the decider knows it.
    package struct Device: Equatable, Sendable {
        /// The name of the owner; nil: there is none.
        package let owner: String?
        /// The gateway that the device moves to; nil: it does not move.
        package let destination: String?
        /// The time since the assignment, in seconds.
        package let seconds: Int
        /// The signal strengths in dBm, by gateway; a gateway that does not receive the device is missing.
        package let signals: [String: Int]
        package let why: String

        package init(owner: String?, destination: String?, seconds: Int, signals: [String: Int], why: String) {
            self.owner = owner
            self.destination = destination
            self.seconds = seconds
            self.signals = signals
            self.why = why
        }

        var json: JSON {
            var members: JSON.Object = ["owner": owner.map { .string($0) } ?? .null]
            members.add("moves_to", destination)
            members["seconds"] = .number(seconds)
            members["signals"] = JSON.fleetObject(signals) { .number($0) }
            members["why"] = .string(why)
            return .object(members)
        }
    }

    /// The name of the gateway that decides; nil: none is known.
    package let decider: String?
    package let epoch: Int
    /// The gateways that the decider receives, sorted by name.
    package let members: [String]
    /// The devices that the answering gateway owns, sorted by name.
    package let owned: [String]
    /// All shared devices by name; nil: the answering gateway does not decide.
    package let devices: [String: Device]?

    package init(decider: String?, epoch: Int, members: [String], owned: [String], devices: [String: Device]?) {
        self.decider = decider
        self.epoch = epoch
        self.members = members
        self.owned = owned
        self.devices = devices
    }

    package var json: JSON {
        var members: JSON.Object = [
            "decider": decider.map { .string($0) } ?? .null, "epoch": .number(epoch),
            "members": .array(self.members.map { .string($0) }), "owned": .array(owned.map { .string($0) }),
        ]
        members.add("devices", devices.map { JSON.fleetObject($0, \.json) })
        return .object(members)
    }

    static let example = FleetOverview(
        decider: "attic", epoch: 7, members: ["attic", "cellar"], owned: [],
        devices: [
            "porch": Device(
                owner: "cellar", destination: nil, seconds: 31, signals: ["attic": -79, "cellar": -58],
                why: "-58 here, -79 at attic")
        ])
}
