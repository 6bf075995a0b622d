package import Bluetooth
package import JSON
package import System

/// An event of the gateway or of a device, which the gateway publishes on `PREFIX/bridge/GATEWAY/event`.
///
/// The payload is a JSON object with the members `type`, the members of the event, and `time`.
package enum GatewayEvent: Sendable {
    /// Bluetooth became available or unavailable.
    case bluetooth(BluetoothState, reason: String)
    /// The gateway repairs an adapter that does not work as it should.
    ///
    /// `device` is the name of the configured device that the repair removes from bluetoothd, if any.
    case repair(RepairStep, adapter: String, reason: String, device: String?)
    /// Something that the gateway needs of its machine fails.
    case hostFailed(HostResource, reason: String)
    /// The gateway can use it again.
    case hostRecovered(HostResource)

    /// A device is connected, and its characteristics are discovered.
    case deviceConnected(device: String)
    /// The connection of a device has ended; `until` is the end of a requested pause, nil without a pause.
    case deviceDisconnected(device: String, reason: String, until: Timestamp?)
    /// A connection attempt has failed; only the first of consecutive failures is published.
    case connectFailed(device: String, reason: String)
    /// The services of a connected device have changed, and the gateway has discovered them again.
    case servicesChanged(device: String)
    /// A device does not have a configured characteristic.
    case characteristicMissing(device: String, characteristic: String, uuid: UUID)
    /// The subscription to a characteristic has failed repeatedly; the gateway connects to the device again.
    case subscribeFailed(device: String, characteristic: String, reason: String)
    /// Bytes do not fit their format, so no reading was published.
    ///
    /// `characteristic` is `advertisement` for the data of an advertisement. `count` is the number of such values since the
    /// last event, including this one.
    case decodeFailed(device: String, characteristic: String, hex: String, reason: String, count: Int)
    /// A device has started to count its encrypted packets anew.
    case counterRestarted(device: String)
    /// The advertisements of a device cannot be decoded.
    case advertisementRefused(device: String, reason: String)

    /// A bond was created.
    case paired(PairingPartner)
    /// A bond was removed at a client's request.
    case unpaired(Address)
    /// No bond could be created.
    case pairingFailed(device: String, reason: String)
    /// The pairing needs the passkey that the device shows: a second `pair` request must contain the passkey.
    case passkeyRequest(PairingPartner)
    /// The pairing needs a confirmation that the device shows `number`: a second `pair` request must contain it.
    case confirm(PairingPartner, number: Passkey)
    /// A person must enter `passkey` on the device.
    case passkeyDisplay(PairingPartner, passkey: Passkey)
    /// The bond has revealed the identity address of a device with a private address.
    case identified(device: String, identity: Address)
    /// The gateway or the device has lost the bond; `isRenewed` is true if the gateway pairs again automatically.
    case bondLost(device: String, reason: String, isRenewed: Bool)
    /// A characteristic can be used only with a bond.
    case bondRequired(device: String, characteristic: String, remedy: String)

    /// The gateway begins to send the messages that waited on the disk.
    case replayStarted(waiting: Int, oldest: Timestamp?)
    /// All messages that waited on the disk are sent.
    ///
    /// `dropped` is the number of messages that were damaged.
    case replayFinished(sent: Int, dropped: Int)
    /// Messages that wait for the broker cannot be stored, or their file was damaged.
    case spoolFailed(reason: String)
    /// The oldest `count` messages on the disk made room for newer ones; published once in an hour at most.
    case spoolDropping(count: Int)
    /// The calendar clock of the machine was set.
    case clockChanged(by: Duration)

    /// A fleet rule has adopted a device.
    case deviceAdopted(device: String, address: Address)
    /// The maximum number of adopted devices is reached.
    case adoptionLimit(reason: String)
    /// A device that was added, adopted or renamed at run time conflicts with the configuration.
    case deviceConflict(device: String, reason: String)

    /// The other side of a pairing.
    package enum PairingPartner: Sendable {
        /// A configured device, by its name.
        case device(String)
        /// A peripheral that is not configured.
        case peripheral(Address)

        fileprivate var member: (String, JSON) {
            switch self {
            case .device(let name): ("device", .string(name))
            case .peripheral(let address): ("address", .string("\(address)"))
            }
        }
    }

    /// The values of `type`.
    package enum Kind: String, CaseIterable, Sendable {
        case bluetooth, repair
        case hostFailed = "host_failed"
        case hostRecovered = "host_recovered"
        case deviceConnected = "device_connected"
        case deviceDisconnected = "device_disconnected"
        case connectFailed = "connect_failed"
        case servicesChanged = "services_changed"
        case characteristicMissing = "characteristic_missing"
        case subscribeFailed = "subscribe_failed"
        case decodeFailed = "decode_failed"
        case counterRestarted = "counter_restarted"
        case advertisementRefused = "advertisement_refused"
        case paired, unpaired
        case pairingFailed = "pairing_failed"
        case passkeyRequest = "passkey_request"
        case confirm
        case passkeyDisplay = "passkey_display"
        case identified
        case bondLost = "bond_lost"
        case bondRequired = "bond_required"
        case replayStarted = "replay_started"
        case replayFinished = "replay_finished"
        case spoolFailed = "spool_failed"
        case spoolDropping = "spool_dropping"
        case clockChanged = "clock_changed"
        case deviceAdopted = "device_adopted"
        case adoptionLimit = "adoption_limit"
        case deviceConflict = "device_conflict"
    }
}

extension GatewayEvent {
    package var kind: Kind {
        switch self {
        case .bluetooth: .bluetooth
        case .repair: .repair
        case .replayStarted: .replayStarted
        case .replayFinished: .replayFinished
        case .spoolFailed: .spoolFailed
        case .spoolDropping: .spoolDropping
        case .clockChanged: .clockChanged
        case .hostFailed: .hostFailed
        case .hostRecovered: .hostRecovered
        case .deviceConnected: .deviceConnected
        case .deviceDisconnected: .deviceDisconnected
        case .connectFailed: .connectFailed
        case .servicesChanged: .servicesChanged
        case .characteristicMissing: .characteristicMissing
        case .subscribeFailed: .subscribeFailed
        case .decodeFailed: .decodeFailed
        case .counterRestarted: .counterRestarted
        case .advertisementRefused: .advertisementRefused
        case .paired: .paired
        case .unpaired: .unpaired
        case .pairingFailed: .pairingFailed
        case .passkeyRequest: .passkeyRequest
        case .confirm: .confirm
        case .passkeyDisplay: .passkeyDisplay
        case .identified: .identified
        case .bondLost: .bondLost
        case .bondRequired: .bondRequired
        case .deviceAdopted: .deviceAdopted
        case .adoptionLimit: .adoptionLimit
        case .deviceConflict: .deviceConflict
        }
    }

    /// Returns the payload of the event.
    package func json(at time: Timestamp) -> JSON {
        .object(
            JSON.Object(
                [("type", .string(kind.rawValue))] + members + [("time", .string(time.description))]))
    }

    /// The members of the payload between `type` and `time`.
    private var members: [(String, JSON)] {
        switch self {
        case .bluetooth(let state, let reason):
            [("state", .string(state.rawValue)), ("reason", .string(reason))]
        case .repair(let repair, let adapter, let reason, let device):
            Self.members(of: repair, adapter, reason, device)
        case .hostFailed(let resource, let reason):
            [("resource", .string(resource.rawValue)), ("reason", .string(reason))]
        case .hostRecovered(let resource): [("resource", .string(resource.rawValue))]
        case .adoptionLimit(let reason): [("reason", .string(reason))]
        case .deviceConnected(let device), .servicesChanged(let device), .counterRestarted(let device):
            [("device", .string(device))]
        case .deviceDisconnected(let device, let reason, let until):
            Self.members(device, reason) + (until.map { [("until", .string($0.description))] } ?? [])
        case .connectFailed(let device, let reason), .advertisementRefused(let device, let reason),
            .pairingFailed(let device, let reason), .deviceConflict(let device, let reason):
            Self.members(device, reason)
        case .characteristicMissing(let device, let characteristic, let uuid):
            [
                ("device", .string(device)), ("characteristic", .string(characteristic)),
                ("uuid", .string("\(uuid)")),
            ]
        case .subscribeFailed(let device, let characteristic, let reason):
            [
                ("device", .string(device)), ("characteristic", .string(characteristic)), ("reason", .string(reason)),
            ]
        case .decodeFailed(let device, let characteristic, let hex, let reason, let count):
            [
                ("device", .string(device)), ("characteristic", .string(characteristic)), ("hex", .string(hex)),
                ("reason", .string(reason)),
            ] + (count > 1 ? [("count", .number(JSON.Number(count)))] : [])
        case .paired(let partner), .passkeyRequest(let partner): [partner.member]
        case .unpaired(let address): [("address", .string("\(address)"))]
        case .confirm(let partner, let number): [partner.member, ("number", .string("\(number)"))]
        case .passkeyDisplay(let partner, let passkey): [partner.member, ("passkey", .string("\(passkey)"))]
        case .identified(let device, let identity):
            [("device", .string(device)), ("identity", .string("\(identity)"))]
        case .bondLost(let device, let reason, let isRenewed):
            Self.members(device, reason) + [("renewed", .bool(isRenewed))]
        case .bondRequired(let device, let characteristic, let remedy):
            [
                ("device", .string(device)), ("characteristic", .string(characteristic)),
                ("remedy", .string(remedy)),
            ]
        case .replayStarted(let waiting, let oldest):
            [("waiting", .number(JSON.Number(waiting))), ("oldest", oldest.map { .string("\($0)") } ?? .null)]
        case .replayFinished(let sent, let dropped):
            [("sent", .number(JSON.Number(sent))), ("dropped", .number(JSON.Number(dropped)))]
        case .spoolFailed(let reason): [("reason", .string(reason))]
        case .spoolDropping(let count): [("count", .number(JSON.Number(count)))]
        case .clockChanged(let step): [("seconds", .number(JSON.Number(step.nanoseconds / 1_000_000_000)))]
        case .deviceAdopted(let device, let address):
            [("device", .string(device)), ("address", .string("\(address)"))]
        }
    }

    private static func members(_ device: String, _ reason: String) -> [(String, JSON)] {
        [("device", .string(device)), ("reason", .string(reason))]
    }

    private static func members(
        of repair: RepairStep, _ adapter: String, _ reason: String, _ device: String?
    ) -> [(String, JSON)] {
        var members: [(String, JSON)] = device.map { [("device", .string($0))] } ?? []
        members += [
            ("adapter", .string(adapter)), ("repair", .string(repair.name)), ("reason", .string(reason)),
        ]
        if case .removeDevice(let address) = repair { members.append(("address", .string("\(address)"))) }
        return members
    }
}
