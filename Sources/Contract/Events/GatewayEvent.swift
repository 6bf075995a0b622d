package import Bluetooth
import Codec
import Glibc
package import JSON
package import System

/// An event of the gateway or of a device, which the gateway publishes on `PREFIX/bridge/GATEWAY/event`, or on
/// `PREFIX/bridge/GATEWAY/pairing` if it has a secret.
///
/// The payload is a JSON object with the members `type`, the members of the event, and `time`.
///
/// | type | which question it answers |
/// |---|---|
/// | `GatewayEvent` | What has happened, and which payload reports it? |
/// | `GatewayEvent.Kind` | Which events are there? What does the documentation say about each? |
/// | `EventMember` | Which members does an event have, and what does each mean? |
/// | `ReceivedEvent` | Which event has another program received? |
/// | `HostResource`, `RepairStep` | What has failed? How is it repaired? |
///
/// To add an event, add a case to `Kind`, its row to `Kind.reference`, and a function that creates it. All are in this
/// file; the compiler rejects a case without a row.
package struct GatewayEvent: Sendable {
    package let kind: Kind
    /// The members of the payload between `type` and `time`.
    package let members: [EventMember]

    private init(_ kind: Kind, _ members: EventMember?...) {
        self.kind = kind
        self.members = members.compactMap { $0 }
    }

    /// Whether the event has a secret of a pairing: such an event is published only while the broker is connected, and is
    /// never stored or logged.
    package var isSecret: Bool { members.contains(where: \.isSecret) }

    /// Returns the payload of the event.
    package func json(at time: Timestamp) -> JSON {
        var object: JSON.Object = ["type": .string(kind.rawValue)]
        for member in members { object[member.name] = member.value }
        object["time"] = .text(time)
        return .object(object)
    }

    /// The other side of a pairing.
    package enum PairingPartner: Sendable {
        /// A configured device, by its name.
        case device(String)
        /// A peripheral that is not configured.
        case peripheral(Address)

        fileprivate var member: EventMember {
            switch self {
            case .device(let name): .device(name)
            case .peripheral(let address): .address(address)
            }
        }
    }

    /// The values of `type`.
    package enum Kind: String, CaseIterable, Sendable {
        case bluetooth, repair
        case hostFailed = "host_failed"
        case hostRecovered = "host_recovered"
        case brokerRefused = "broker_refused"
        case brokerAccepted = "broker_accepted"
        case advertiserFailed = "advertiser_failed"
        case advertiserRecovered = "advertiser_recovered"
        case deviceConnected = "device_connected"
        case deviceDisconnected = "device_disconnected"
        case connectFailed = "connect_failed"
        case servicesChanged = "services_changed"
        case characteristicMissing = "characteristic_missing"
        case characteristicAmbiguous = "characteristic_ambiguous"
        case subscribeFailed = "subscribe_failed"
        case readFailed = "read_failed"
        case decodeFailed = "decode_failed"
        case answerFailed = "answer_failed"
        case loginRefused = "login_refused"
        case noAnswer = "no_answer"
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
        case fleetDecider = "fleet_decider"
        case memberLost = "fleet_member_lost"
        case memberBack = "fleet_member_back"
        case nameTaken = "name_taken"
        case unsharedGateway = "unshared_gateway"
        case seatUnreachable = "seat_unreachable"
        case seatReachable = "seat_reachable"
    }
}

// MARK: The gateway and its machine

extension GatewayEvent {
    /// Bluetooth became available or unavailable.
    package static func bluetooth(_ state: BluetoothState, reason: String) -> GatewayEvent {
        GatewayEvent(.bluetooth, .state(state), .reason(reason))
    }

    /// The gateway repairs an adapter that does not work as it should.
    ///
    /// - Parameters:
    ///   - repair: The repair.
    ///   - adapter: The name of the adapter.
    ///   - reason: The reason in words.
    ///   - device: The name of the configured device that the repair removes from bluetoothd; nil: none.
    /// - Returns: The event.
    package static func repair(
        _ repair: RepairStep, adapter: String, reason: String, device: String?
    ) -> GatewayEvent {
        var address: Address?
        if case .removeDevice(let removed) = repair { address = removed }
        return GatewayEvent(
            .repair, device.map { .device($0) }, .adapter(adapter), .repair(repair), .reason(reason),
            address.map { .address($0) })
    }

    /// Something that the gateway needs of its machine fails.
    package static func hostFailed(_ resource: HostResource, reason: String) -> GatewayEvent {
        GatewayEvent(.hostFailed, .resource(resource), .reason(reason))
    }

    /// The gateway can use it again.
    package static func hostRecovered(_ resource: HostResource) -> GatewayEvent {
        GatewayEvent(.hostRecovered, .resource(resource))
    }

    /// The broker does not accept the messages on a topic, or a subscription.
    package static func brokerRefused(_ refusal: BrokerStatus.Refusal) -> GatewayEvent {
        GatewayEvent(.brokerRefused, .action(refusal.action), .topic(refusal.topic), .reason(refusal.reason))
    }

    /// The broker accepts a topic or a filter that it refused before.
    package static func brokerAccepted(_ action: BrokerStatus.Refusal.Action, topic: String) -> GatewayEvent {
        GatewayEvent(.brokerAccepted, .action(action), .topic(topic))
    }

    /// An advertisement of the gateway is not sent: its values do not fit, or bluetoothd refuses it.
    package static func advertiserFailed(_ advertiser: String, reason: String) -> GatewayEvent {
        GatewayEvent(.advertiserFailed, .advertiser(advertiser), .reason(reason))
    }

    /// An advertisement of the gateway is sent again.
    package static func advertiserRecovered(_ advertiser: String, adapter: String) -> GatewayEvent {
        GatewayEvent(.advertiserRecovered, .advertiser(advertiser), .adapter(adapter))
    }

    /// The calendar clock of the machine was set.
    package static func clockChanged(by step: Duration) -> GatewayEvent {
        GatewayEvent(
            .clockChanged,
            EventMember(
                "seconds", .number(step.nanoseconds / 1_000_000_000),
                "the step of the clock; negative if it was set back"))
    }
}

// MARK: The connection of a device

extension GatewayEvent {
    /// A device is connected, and its characteristics are discovered.
    package static func deviceConnected(device: String) -> GatewayEvent {
        GatewayEvent(.deviceConnected, .device(device))
    }

    /// The connection of a device has ended; `until` is the end of a requested pause, nil without a pause.
    package static func deviceDisconnected(device: String, reason: String, until: Timestamp?) -> GatewayEvent {
        GatewayEvent(
            .deviceDisconnected, .device(device), .reason(reason),
            until.map { EventMember("until", .text($0), "the end of a requested pause") })
    }

    /// A connection attempt has failed; only the first of consecutive failures is published.
    package static func connectFailed(device: String, reason: String) -> GatewayEvent {
        GatewayEvent(.connectFailed, .device(device), .reason(reason))
    }

    /// The services of a connected device have changed, and the gateway has discovered them again.
    package static func servicesChanged(device: String) -> GatewayEvent {
        GatewayEvent(.servicesChanged, .device(device))
    }

    /// A device does not have a configured characteristic.
    package static func characteristicMissing(device: String, characteristic: String, uuid: UUID) -> GatewayEvent {
        GatewayEvent(
            .characteristicMissing, .device(device), .characteristic(characteristic),
            EventMember("uuid", .text(uuid), "the UUID of the characteristic"))
    }

    /// Several characteristics of a device match a configured one.
    package static func characteristicAmbiguous(
        device: String, characteristic: String, uuid: UUID, services: [UUID]
    ) -> GatewayEvent {
        GatewayEvent(
            .characteristicAmbiguous, .device(device), .characteristic(characteristic),
            EventMember("uuid", .text(uuid), "the UUID of the characteristic"),
            EventMember(
                "services", .array(services.map { .text($0) }),
                "the UUIDs of the services that contain it, one for each time"))
    }

    /// The subscription to a characteristic has failed repeatedly; the next attempts are seldom.
    package static func subscribeFailed(device: String, characteristic: String, reason: String) -> GatewayEvent {
        GatewayEvent(.subscribeFailed, .device(device), .characteristic(characteristic), .reason(reason))
    }

    /// The reads of a characteristic have failed repeatedly; the next attempts are seldom.
    package static func readFailed(device: String, characteristic: String, reason: String) -> GatewayEvent {
        GatewayEvent(.readFailed, .device(device), .characteristic(characteristic), .reason(reason))
    }
}

// MARK: The values of a device

extension GatewayEvent {
    /// Bytes do not fit their format, so no reading was published.
    ///
    /// - Parameters:
    ///   - device: The name of the device.
    ///   - characteristic: The name of the characteristic; `advertisement` for the data of an advertisement.
    ///   - hex: The bytes, in hexadecimal digits.
    ///   - reason: The reason in words.
    ///   - count: The number of such values since the last event, including this one.
    /// - Returns: The event.
    package static func decodeFailed(
        device: String, characteristic: String, hex: String, reason: String, count: Int
    ) -> GatewayEvent {
        GatewayEvent(
            .decodeFailed, .device(device), .characteristic(characteristic),
            EventMember("hex", .string(hex), "the bytes, in hexadecimal digits"), .reason(reason),
            count > 1 ? .count(count, "the number of such values since the last event") : nil)
    }

    /// A device has started to count its encrypted packets anew.
    package static func counterRestarted(device: String) -> GatewayEvent {
        GatewayEvent(.counterRestarted, .device(device))
    }

    /// The advertisements of a device cannot be decoded.
    package static func advertisementRefused(device: String, reason: String) -> GatewayEvent {
        GatewayEvent(.advertisementRefused, .device(device), .reason(reason))
    }
}

// MARK: Questions

extension GatewayEvent {
    /// A question had no valid answer.
    ///
    /// - Parameters:
    ///   - device: The name of the device.
    ///   - characteristic: The name of the entry with the question.
    ///   - reason: The reason in words.
    ///   - hex: The bytes that the device has sent; empty: none.
    ///   - attempts: How often the question was asked.
    ///   - count: The number of failures since the last event.
    /// - Returns: The event.
    package static func answerFailed(
        device: String, characteristic: String, reason: String, hex: String, attempts: Int, count: Int
    ) -> GatewayEvent {
        GatewayEvent(
            .answerFailed, .device(device), .characteristic(characteristic), .reason(reason),
            EventMember("hex", .string(hex), "the bytes that the device has sent"),
            EventMember("attempts", .number(attempts), "how often the question was asked"),
            EventMember("count", .number(count), "the number of failures since the last event"))
    }

    /// A question of the key `first` was refused or not answered.
    package static func loginRefused(device: String, reason: String) -> GatewayEvent {
        GatewayEvent(.loginRefused, .device(device), .reason(reason))
    }

    /// A device has answered several questions in a row with not one byte.
    package static func noAnswer(device: String, questions: Int) -> GatewayEvent {
        GatewayEvent(
            .noAnswer, .device(device),
            EventMember("questions", .number(questions), "the number of questions without an answer"))
    }
}

// MARK: Bonds

extension GatewayEvent {
    /// A bond was created.
    package static func paired(_ partner: PairingPartner) -> GatewayEvent {
        GatewayEvent(.paired, partner.member)
    }

    /// A bond was removed at a client's request.
    package static func unpaired(_ address: Address) -> GatewayEvent {
        GatewayEvent(.unpaired, .address(address))
    }

    /// No bond could be created.
    package static func pairingFailed(device: String, reason: String) -> GatewayEvent {
        GatewayEvent(.pairingFailed, .device(device), .reason(reason))
    }

    /// The pairing needs the passkey that the device shows: a second `pair` request must contain the passkey.
    package static func passkeyRequest(_ partner: PairingPartner) -> GatewayEvent {
        GatewayEvent(.passkeyRequest, partner.member)
    }

    /// The pairing needs a confirmation that the device shows `number`: a second `pair` request must contain it.
    package static func confirm(_ partner: PairingPartner, number: Passkey) -> GatewayEvent {
        GatewayEvent(.confirm, partner.member, .secret("number", number))
    }

    /// A person must enter `passkey` on the device.
    package static func passkeyDisplay(_ partner: PairingPartner, passkey: Passkey) -> GatewayEvent {
        GatewayEvent(.passkeyDisplay, partner.member, .secret("passkey", passkey))
    }

    /// The bond has revealed the identity address of a device with a private address.
    package static func identified(device: String, identity: Address) -> GatewayEvent {
        GatewayEvent(.identified, .device(device), EventMember("identity", .text(identity), "the identity address"))
    }

    /// The gateway or the device has lost the bond; `isRenewed` is true if the gateway pairs again automatically.
    package static func bondLost(device: String, reason: String, isRenewed: Bool) -> GatewayEvent {
        GatewayEvent(
            .bondLost, .device(device), .reason(reason),
            EventMember("renewed", .bool(isRenewed), "whether the gateway pairs again automatically"))
    }

    /// The reason of `bond_lost` if bluetoothd no longer has the bond.
    package static let bondRemoved = "bluetoothd has removed it"

    /// A characteristic can be used only with a bond.
    package static func bondRequired(device: String, characteristic: String, remedy: String) -> GatewayEvent {
        GatewayEvent(
            .bondRequired, .device(device), .characteristic(characteristic),
            EventMember("remedy", .string(remedy), "what to do"))
    }

    /// The remedy of `bond_required` for a device that is not paired automatically.
    package static let pairingRemedy = "set pair: true"
}

// MARK: Messages on the disk

extension GatewayEvent {
    /// The gateway begins to send the messages that waited on the disk.
    package static func replayStarted(waiting: Int, oldest: Timestamp?) -> GatewayEvent {
        GatewayEvent(
            .replayStarted, EventMember("waiting", .number(waiting), "the number of messages that waited"),
            EventMember(
                "oldest", oldest.map { .text($0) } ?? .null,
                "the time of the oldest message; `null` if it is not known"))
    }

    /// All messages that waited on the disk are sent; `dropped` of them were damaged.
    package static func replayFinished(sent: Int, dropped: Int) -> GatewayEvent {
        GatewayEvent(
            .replayFinished,
            EventMember("sent", .number(sent), "the number of late messages that the broker has accepted"),
            EventMember("dropped", .number(dropped), "the number of messages that were damaged"))
    }

    /// Messages that wait for the broker cannot be stored, or their file was damaged.
    package static func spoolFailed(reason: String) -> GatewayEvent {
        GatewayEvent(.spoolFailed, .reason(reason))
    }

    /// Returns the reason of `spool_failed` if the file was damaged.
    ///
    /// - Parameters:
    ///   - damage: The description of the damage.
    ///   - salvaged: The number of messages that could be read.
    /// - Returns: The reason.
    package static func damageReason(_ damage: String, salvaged: Int) -> String {
        "the file was damaged (\(damage)): \(salvaged) messages were read from it"
    }

    /// The oldest `count` messages on the disk made room for newer ones; published once in an hour at most.
    package static func spoolDropping(count: Int) -> GatewayEvent {
        GatewayEvent(.spoolDropping, .count(count, "the number of such messages since the last event"))
    }
}

// MARK: The fleet

extension GatewayEvent {
    /// A fleet rule has adopted a device.
    package static func deviceAdopted(device: String, address: Address) -> GatewayEvent {
        GatewayEvent(.deviceAdopted, .device(device), .address(address))
    }

    /// The maximum number of adopted devices is reached.
    package static func adoptionLimit(reason: String) -> GatewayEvent {
        GatewayEvent(.adoptionLimit, .reason(reason))
    }

    /// Returns the reason of `adoption_limit`.
    ///
    /// - Parameter count: The maximum number of adopted devices.
    /// - Returns: The reason.
    package static func limitReason(_ count: Int) -> String {
        "\(count) devices are adopted: new ones can only replace devices without a value; make the fleet rules stricter, or "
            + "remove devices"
    }

    /// A device that was added, adopted or renamed at run time conflicts with the configuration.
    package static func deviceConflict(device: String, reason: String) -> GatewayEvent {
        GatewayEvent(.deviceConflict, .device(device), .reason(reason))
    }
}

// MARK: Several gateways

extension GatewayEvent {
    /// Another gateway decides which gateway owns which shared device.
    package static func fleetDecider(_ gateway: String, epoch: Int) -> GatewayEvent {
        GatewayEvent(
            .fleetDecider, EventMember("decider", .string(gateway), "the gateway that decides now"),
            EventMember("epoch", .number(epoch), "incremented each time another gateway begins to decide"))
    }

    /// The decider no longer receives a gateway.
    package static func memberLost(_ gateway: String) -> GatewayEvent { GatewayEvent(.memberLost, .member(gateway)) }

    /// The decider receives a lost gateway again.
    package static func memberBack(_ gateway: String) -> GatewayEvent { GatewayEvent(.memberBack, .member(gateway)) }

    /// Another process has the name of this gateway.
    package static func nameTaken(_ gateway: String) -> GatewayEvent { GatewayEvent(.nameTaken, .member(gateway)) }

    /// The configuration of a gateway has no device of a name that another one has.
    package static func unknownDevice(_ device: String, at gateway: String, knownAt other: String) -> GatewayEvent {
        deviceConflict(device: device, reason: reason(notAt: gateway, at: other))
    }

    /// The names or addresses of devices differ in the configurations of two gateways.
    package static func otherList(_ gateway: String, _ other: String) -> GatewayEvent {
        GatewayEvent(.deviceConflict, .reason(reason(differing: gateway, other)))
    }

    /// The reason if requests to two gateways have added two devices with one name.
    package static let twoAdditions = "two gateways have added a device of this name: the later addition counts"

    package static func reason(notAt gateway: String, at other: String) -> String {
        "the configuration of \(gateway) does not have it, that of \(other) has it"
    }

    package static func reason(differing gateway: String, _ other: String) -> String {
        "names or addresses of devices differ in the configurations of \(gateway) and \(other)"
    }

    /// A gateway without the key `share` publishes a shared device.
    package static func unsharedGateway(_ gateway: String, device: String) -> GatewayEvent {
        GatewayEvent(.unsharedGateway, .member(gateway), .device(device))
    }

    /// The etcd of the key `share.seat` does not answer.
    package static func seatUnreachable(reason: String) -> GatewayEvent {
        GatewayEvent(.seatUnreachable, .reason(reason))
    }

    /// The etcd of the key `share.seat` answers again.
    package static var seatReachable: GatewayEvent { GatewayEvent(.seatReachable) }
}

// MARK: Documentation

extension GatewayEvent.Kind {
    /// The documentation of an event.
    package struct Reference: Sendable {
        package let meaning: String
        /// Examples, which together have all members.
        package let examples: [GatewayEvent]

        fileprivate init(_ meaning: String, _ examples: GatewayEvent...) {
            self.meaning = meaning
            self.examples = examples
        }

        /// The members of all examples, each once.
        package var members: [EventMember] {
            var members: [EventMember] = []
            for member in examples.flatMap(\.members) where !members.contains(where: { $0.name == member.name }) {
                members.append(member)
            }
            return members
        }
    }

    /// Whether the events of this kind have a secret.
    package var isSecret: Bool { reference.examples.contains(where: \.isSecret) }

    private static let givenByAddress = "A device that is not configured is given by its `address`."

    package var reference: Reference {
        switch self {
        case .bluetooth:
            Reference(
                "Bluetooth became available or unavailable.",
                .bluetooth(.poweredOff, reason: "hci0 (\(Example.adapter)) is off: bluetoothctl power on"))
        case .repair:
            Reference(
                "The gateway repairs an adapter that does not work as it should.",
                .repair(
                    .restartScan, adapter: "hci0", reason: "the scan receives no advertisements", device: nil),
                .repair(
                    .removeDevice(Example.address), adapter: "hci0",
                    reason: "an attempt to connect to the peripheral does not end", device: "greenhouse"))
        case .hostFailed:
            Reference(
                """
                Something that the gateway needs of its machine fails: the state folder cannot be written, or the process \
                has no file descriptors left. The gateway tries again each minute.
                """,
                .hostFailed(
                    .stateFolder,
                    reason: SystemError("cannot write /var/lib/bluefleet/devices.json.new", ENOSPC).description))
        case .hostRecovered:
            Reference(
                "The gateway can use the resource of a `host_failed` again.", .hostRecovered(.stateFolder))
        case .brokerRefused:
            Reference(
                """
                The broker does not accept the messages on a topic, or a subscription. If it closes the connection for \
                that, the topic or filter is held back and tried again after 1 minute, 10 minutes and then every hour; \
                after three refusals below one first level, the rest of the level waits too. If it rejects \
                messages for the moment, such as for `Quota exceeded`, they are sent again: of a state the newest value. The \
                delays begin with 1 s and double up to 1 minute; the event follows the third rejection in a row. `health` \
                lists them.
                """, .brokerRefused(Example.refusal))
        case .brokerAccepted:
            Reference(
                "The broker accepts a topic or a filter that it refused before.",
                .brokerAccepted(Example.refusal.action, topic: Example.refusal.topic))
        case .advertiserFailed:
            Reference(
                """
                An advertisement of the section `advertisers` is not sent: its values do not fit, or bluetoothd refuses it. The \
                gateway tries again each minute, and as soon as the adapter has room for another one.
                """, .advertiserFailed(Example.advertiser.name, reason: Example.advertiserProblem))
        case .advertiserRecovered:
            Reference(
                "An advertisement of the section `advertisers` is sent again.",
                .advertiserRecovered(Example.advertiser.name, adapter: "hci0"))
        case .deviceConnected:
            Reference(
                "A device is connected, and its characteristics are found.", .deviceConnected(device: "greenhouse"))
        case .deviceDisconnected:
            Reference(
                "The connection of a device has ended. `until` is present during a requested pause.",
                .deviceDisconnected(device: "greenhouse", reason: ConnectionStatus.linkLost, until: nil),
                .deviceDisconnected(
                    device: "greenhouse", reason: ConnectionStatus.onRequest,
                    until: Example.later))
        case .connectFailed:
            Reference(
                """
                A connection attempt has failed, or the connection was lost before the device had answered the first \
                subscriptions and reads. Only the first of consecutive failures is published.
                """,
                .connectFailed(device: "greenhouse", reason: "connect: the peripheral did not answer in time"))
        case .servicesChanged:
            Reference(
                "The services of a connected device have changed. The gateway has discovered them again.",
                .servicesChanged(device: "greenhouse"))
        case .characteristicMissing:
            Reference(
                "A device does not have a configured characteristic.",
                .characteristicMissing(device: "greenhouse", characteristic: "humidity", uuid: 0x2A6F))
        case .characteristicAmbiguous:
            Reference(
                """
                A characteristic that is configured without `service` or without `instance` exists several times on the \
                device. The first one is used for reading and subscribing; writes are refused until the missing key is \
                given.
                """,
                .characteristicAmbiguous(
                    device: "greenhouse", characteristic: "setpoint", uuid: 0x2A6E, services: [0x181A, 0x1809]))
        case .subscribeFailed:
            Reference(
                """
                The third attempt to subscribe to a characteristic has failed, or its subscription has ended for the \
                third time. The gateway tries again after 1 minute, with delays that double up to 1 hour. If no other \
                characteristic is subscribed, the gateway connects to the device again once, and the device is `stale`; \
                otherwise the connection stays, and the device is `online` with this `reason`.
                """,
                .subscribeFailed(
                    device: "greenhouse", characteristic: "temperature",
                    reason: "subscribe: bluetoothd reported success, but there is no subscription"))
        case .readFailed:
            Reference(
                """
                The third read of a characteristic in succession has failed. The gateway reads again after 1 minute at \
                least, with delays that double up to 1 hour.
                """,
                .readFailed(
                    device: "greenhouse", characteristic: "temperature",
                    reason: "read: rejected: reading is not permitted (ATT error 0x02)"))
        case .decodeFailed:
            Reference(
                """
                Bytes do not fit their format, so no reading was published. `characteristic` is `advertisement` for the \
                data of an advertisement. After five events about a characteristic, at most one is published per minute; \
                `count` is then the number of such values since the last event.
                """,
                .decodeFailed(
                    device: "greenhouse", characteristic: "temperature", hex: "66",
                    reason: DecodingError.tooShort(field: "temperature", expected: 2, found: 1).description, count: 120
                ))
        case .answerFailed:
            Reference(
                """
                A question had no valid answer. `hex` contains up to 64 bytes that the device has sent, `attempts` how often the \
                question was asked. After five events about an entry, at most one is published per minute; `count` is then the \
                number of failures since the last event.
                """,
                .answerFailed(
                    device: "battery", characteristic: "cells", reason: "the device refused the question",
                    hex: "dd048000ff8077", attempts: 1, count: 1))
        case .loginRefused:
            Reference(
                """
                A question of the key `first` was refused or not answered. The connection ends; the next attempts wait up to \
                10 minutes.
                """,
                .loginRefused(device: "battery", reason: "first 1: the device refused the question"))
        case .noAnswer:
            Reference(
                """
                A device has answered several questions in a row with not one byte. The connection ends, and the gateway tries \
                again later.
                """, .noAnswer(device: "battery", questions: 5))
        case .counterRestarted:
            Reference(
                """
                A device has started to count its encrypted packets anew: after a change of its batteries, or because \
                another sender replays old packets. It is accepted once in 24 hours.
                """, .counterRestarted(device: "porch"))
        case .advertisementRefused:
            Reference(
                "The advertisements of a device cannot be decoded; `reason` gives the cause.",
                .advertisementRefused(device: "porch", reason: AdvertisementError.noKey.description))
        case .paired:
            Reference(
                "A bond was created. \(Self.givenByAddress)", .paired(.device("lock")),
                .paired(.peripheral(Example.address)))
        case .unpaired:
            Reference("A bond was removed at a client's request.", .unpaired(Example.address))
        case .pairingFailed:
            Reference(
                "No bond could be created.",
                .pairingFailed(
                    device: "lock",
                    reason:
                        "pair: rejected by the peripheral: switch it to its pairing mode; if it has or shows a passkey, "
                        + "enter that"))
        case .passkeyRequest:
            Reference(
                """
                The pairing needs the passkey that the device shows. Send a second `pair` request with it. \
                \(Self.givenByAddress)
                """, .passkeyRequest(.device("lock")))
        case .confirm:
            Reference(
                """
                The pairing must be confirmed. Send a second `pair` request with `number` as its `passkey` if the device \
                shows the same number. \(Self.givenByAddress)
                """, .confirm(.device("lock"), number: Example.passkey))
        case .passkeyDisplay:
            Reference(
                "A person must enter the passkey on the device. \(Self.givenByAddress)",
                .passkeyDisplay(.device("lock"), passkey: Example.passkey))
        case .identified:
            Reference(
                "The bond has revealed the identity address of a device with a private address.",
                .identified(device: "phone", identity: Example.address))
        case .bondLost:
            Reference(
                "The gateway or the device has lost the bond.",
                .bondLost(device: "lock", reason: GatewayEvent.bondRemoved, isRenewed: true))
        case .bondRequired:
            Reference(
                "A characteristic can be used only with a bond.",
                .bondRequired(device: "lock", characteristic: "bolt", remedy: GatewayEvent.pairingRemedy))
        case .replayStarted:
            Reference(
                "The gateway begins to send the messages that waited on the disk.",
                .replayStarted(
                    waiting: 8640, oldest: Timestamp(milliseconds: Example.time.milliseconds - 86_400_000)))
        case .replayFinished:
            Reference(
                "All messages that waited on the disk are sent.", .replayFinished(sent: 8640, dropped: 0))
        case .spoolFailed:
            Reference(
                "Messages that wait for the broker cannot be stored, or their file was damaged.",
                .spoolFailed(reason: "/var/lib/bluefleet/spool/spool.db: database or disk is full"),
                .spoolFailed(
                    reason: GatewayEvent.damageReason("database disk image is malformed", salvaged: 8600)))
        case .spoolDropping:
            Reference(
                "The oldest `count` messages on the disk made room for newer ones. Published once in an hour at most.",
                .spoolDropping(count: 256))
        case .clockChanged:
            Reference(
                """
                The clock of the machine was set, by `seconds`. The times of messages that wait for the broker are \
                corrected, and the readings and connections that the broker retains are published again with corrected \
                times; intervals do not depend on the clock.
                """, .clockChanged(by: .seconds(86_400)))
        case .deviceAdopted:
            Reference(
                "A fleet rule has adopted a device.",
                .deviceAdopted(device: "sensors/\(Example.address)", address: Example.address))
        case .adoptionLimit:
            Reference(
                """
                The maximum number of adopted devices is reached. A new device then replaces one that has sent no value \
                since the gateway started, or is not adopted.
                """, .adoptionLimit(reason: GatewayEvent.limitReason(1000)))
        case .deviceConflict:
            Reference(
                """
                A device that was added, adopted or renamed at run time conflicts with the configuration. Or the \
                configurations of gateways that share devices differ for a minute: the gateway that decides publishes the \
                event for each device that only one of them has, or without `device` if they differ in addresses only.
                """,
                .deviceConflict(
                    device: "sensors/Sensor_\(Example.address)",
                    reason: "the adopted device has its address in its name: duplicate name "
                        + "\("sensors/Sensor".quotedForMessage): another device has it"),
                .unknownDevice("freezer", at: "cellar", knownAt: "attic"), .otherList("cellar", "attic"))
        case .fleetDecider:
            Reference(
                """
                Another gateway decides which gateway owns which shared device (`share`). Each gateway publishes this event.
                """, .fleetDecider("attic", epoch: 7))
        case .memberLost:
            Reference(
                """
                The decider has received no report of a gateway for 3.5 s, or its last will for 1 s. Other gateways get its \
                shared devices.
                """, .memberLost("cellar"))
        case .memberBack:
            Reference("The decider receives a lost gateway again.", .memberBack("cellar"))
        case .nameTaken:
            Reference(
                """
                Another process with the name of this gateway runs, such as on a copied memory card. This process publishes \
                nothing and answers no request. Give each gateway a name of its own with the key `gateway`.
                """, .nameTaken("attic"))
        case .unsharedGateway:
            Reference(
                """
                A gateway without the key `share` publishes a shared device, so that its values arrive twice. The gateway that \
                owns the device reports it, for up to ten devices.
                """, .unsharedGateway("cellar", device: "freezer"))
        case .seatUnreachable:
            Reference(
                """
                No node of the etcd of `share.seat` has answered for three attempts of the gateway that decides, or that would \
                decide. Without the seat no gateway decides: after 3.7 s all of them hold their values.
                """, .seatUnreachable(reason: "http://a:2379/v3/lease/keepalive: Timeout was reached"))
        case .seatReachable:
            Reference("The etcd of `share.seat` answers again.", .seatReachable)
        }
    }
}
