import BlueZ
import Codec
import Configuration
import Contract
import Devices
import EventLoop
import JSON
import MQTT
import System

/// Derives the retained states of one device from its session and status: `connection`, `availability` and `info`.
///
/// `DeviceStatus` determines which states have changed.
final class StatusPublisher {
    private let configuration: Configuration.Device
    private let bindings: [CharacteristicBinding]
    private let advertised: AdvertisedTopics
    private let series: SeriesTopics?
    private let calculated: CalculatedValues?
    private let connection: ConnectionExecutor
    private let output: DevicePublisher
    private let loop: EventLoop

    init(
        _ configuration: Configuration.Device, _ bindings: [CharacteristicBinding], _ advertised: AdvertisedTopics,
        _ series: SeriesTopics?, _ calculated: CalculatedValues?, _ connection: ConnectionExecutor,
        _ output: DevicePublisher, loop: EventLoop
    ) {
        self.configuration = configuration
        self.bindings = bindings
        self.advertised = advertised
        self.series = series
        self.calculated = calculated
        self.connection = connection
        self.output = output
        self.loop = loop
    }

    /// The publications of all characteristics, numbered questions, advertised quantities and derived values.
    var publications: [Publication] {
        bindings.filter(\.ownsPublication).map(\.publication) + (series?.publications ?? [])
            + advertised.publications + (calculated?.publications ?? [])
    }

    // MARK: Connection

    func connectionStatus(_ session: Session, _ status: DeviceStatus) -> ConnectionStatus {
        let state: ConnectionStatus.State =
            switch session.phase {
            case .idle: session.isWaiting ? .waiting : .disconnected
            case .seeking: .waiting
            case .pairing: .connecting
            case .connecting: session.isWaitingForSlot ? .waiting : .connecting
            case .discovering: .discovering
            case .ready: .connected
            case .ending: .disconnecting
            }
        var result = ConnectionStatus(state: state)
        if state != .connected {
            result.reason = session.isWaitingForSlot ? status.slotReason : session.explanation
            result.until = session.isPaused ? status.pauseEnd : nil
            result.attempts = session.attempts > 0 ? session.attempts : nil
            if configuration.isObserved, let strength = advertised.listener?.strength {
                (result.adapter, result.rssi) = (strength.adapter, strength.rssi)
            }
        } else if let peripheral = connection.snapshot {
            (result.adapter, result.rssi) = (peripheral.adapterName, peripheral.rssi)
            result.mtu = connection.maximumTransmissionUnit
        }
        if let ownership = output.ownership {
            (result.gateway, result.why) = (output.publisher.topics.gateway, ownership.why)
        }
        return result
    }

    func publish(_ connection: ConnectionStatus, at time: Timestamp) {
        output.publish(connection.json(at: time), .connection)
    }

    // MARK: Availability

    /// Returns the availability, and the time at which it changes if no value or advertisement arrives.
    func judgement(_ session: Session, _ status: DeviceStatus) -> Presence.Judgement {
        if configuration.isObserved, let listener = advertised.listener {
            return status.presence.judge(
                session, listener.silence, refusal: listener.refusal?.description, at: loop.now)
        }
        return status.presence.judge(
            session, next: nextOverdue(since: status.history.lastSeen),
            obstacle: session.isWaitingForSlot ? status.slotReason : nil, at: loop.now)
    }

    /// Finds the earliest deadline for a next value.
    ///
    /// - Parameter last: When the last value arrived; nil: never.
    /// - Returns: The characteristic with the earliest deadline; nil if no characteristic has a deadline.
    private func nextOverdue(since last: Instant?) -> Presence.Overdue? {
        var next: Presence.Overdue?
        if let expect = configuration.expect, let last {
            next = Presence.Overdue(name: "any characteristic", deadline: last + expect)
        }
        for binding in bindings {
            guard let deadline = binding.rhythm.deadline, deadline < next?.deadline ?? Instant(nanoseconds: .max) else {
                continue
            }
            next = Presence.Overdue(name: binding.name, deadline: deadline)
        }
        return next
    }

    func publish(_ availability: Availability) {
        output.publish(availability.json, .availability)
    }

    // MARK: Info and health

    /// Publishes `info`: name, address, identity, characteristics and advertised quantities.
    func publishInfo(_ identity: DeviceIdentity) {
        let info = DeviceInfo(
            name: output.name, gateway: output.publisher.topics.gateway, address: configuration.address,
            identity: connection.snapshot?.identity, identity, bindings.map(\.info), advertisement: advertised.info,
            derived: calculated?.info ?? [])
        output.publish(info.json, .info)
    }

    /// Returns the device's entry in the payload of the gateway's topic `health`.
    func health(_ history: DeviceHistory) -> DeviceHealth {
        let peripheral = connection.snapshot
        let last = [peripheral?.lastSeen, history.lastSeen].compactMap { $0 }.max()
        var health = history.health(
            lastSeen: last.map { instant in
                Timestamp(milliseconds: loop.timestamp.milliseconds - (loop.now - instant).nanoseconds / 1_000_000)
            })
        health.advertisements = advertised.listener?.counters
        health.rssi = advertised.listener?.strength?.rssi ?? peripheral?.rssi
        health.battery = battery
        return health
    }

    /// The newest charge of the battery in percent; nil if the device does not report it.
    private var battery: JSON.Number? {
        publications.lazy.filter { $0.name == "battery" || $0.name == "battery_level" }.compactMap(\.number).first
    }

    /// The formats that the device's own descriptors define, by the name of the characteristic.
    var describedFormats: [String: Format] {
        let described = bindings.filter { $0.configuration.meaning == nil }
        return Dictionary(
            uniqueKeysWithValues: described.compactMap { binding in
                binding.format.map { (binding.name, $0) }
            })
    }

    /// The topics that the broker retains for the device.
    var retainedTopics: [Topic] {
        output.publisher.topics.retained(of: output.name) + publications.filter(\.isRetained).map(\.topic)
    }
}
