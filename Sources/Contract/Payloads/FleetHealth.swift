package import JSON

/// The member `fleet` of the payload of `PREFIX/bridge/GATEWAY/health`, for a gateway that shares devices.
package struct FleetHealth: Equatable, Sendable {
    /// The name of the gateway that decides; nil: none is known.
    package var decider: String?
    /// The epoch of the decider.
    package var epoch: Int
    /// The gateways that the decider receives, sorted by name.
    package var members: [String]
    /// The number of shared devices.
    package var shared: Int
    /// The number of shared devices that the gateway owns.
    package var owned: Int
    /// How often the gateway has become the owner of a device since its start.
    package var moves: Int
    /// The time since the start in which the gateway was not allowed to publish for shared devices, in seconds.
    package var secondsInDoubt: Int
    /// The number of messages of other gateways that were ignored because they are not valid.
    package var ignored: Int

    package init(
        decider: String?, epoch: Int, members: [String], shared: Int, owned: Int, moves: Int, secondsInDoubt: Int,
        ignored: Int
    ) {
        self.decider = decider
        self.epoch = epoch
        self.members = members
        self.shared = shared
        self.owned = owned
        self.moves = moves
        self.secondsInDoubt = secondsInDoubt
        self.ignored = ignored
    }

    package var json: JSON {
        [
            "decider": decider.map { .string($0) } ?? .null, "epoch": .number(epoch),
            "members": .array(members.map { .string($0) }), "shared": .number(shared), "owned": .number(owned),
            "moves": .number(moves), "seconds_in_doubt": .number(secondsInDoubt), "ignored": .number(ignored),
        ]
    }

    /// - Returns: nil if the value is not of this kind.
    package init?(_ json: JSON) {
        guard let epoch = json["epoch"]?.int, let members = json["members"]?.array, let shared = json["shared"]?.int,
            let owned = json["owned"]?.int, let moves = json["moves"]?.int,
            let secondsInDoubt = json["seconds_in_doubt"]?.int, let ignored = json["ignored"]?.int
        else { return nil }
        self.init(
            decider: json["decider"]?.string, epoch: epoch, members: members.compactMap(\.string), shared: shared,
            owned: owned, moves: moves, secondsInDoubt: secondsInDoubt, ignored: ignored)
    }
}
