import Devices
import Contract
import BlueZ
import Codec
import Configuration
import EventLoop
import JSON
import MQTT
import System

/// The retained topics of the device.
extension Device {
    /// The publications of all characteristics and advertised quantities.
    var publications: [Publication] { bindings.map(\.publication) + advertised.publications }

    var connectionStatus: ConnectionStatus {
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
            if configuration.connect == .never, let strength = advertised.listener?.strength {
                (result.adapter, result.rssi) = (strength.adapter, strength.rssi)
            }
        } else if let peripheral {
            (result.adapter, result.rssi) = peripheral.assumeIsolated { ($0.adapterName, $0.rssi) }
            result.mtu = bindings.lazy.compactMap { $0.characteristic?.maximumTransmissionUnit }.first
        }
        return result
    }

    /// Why the device waits for a connection slot.
    ///
    /// - Parameter used: the number of connections of the adapter that the device would use.
    /// - Returns: The reason, with all adapters that have no free slot.
    func slotReason(_ used: Int) -> String {
        let full = central.assumeIsolated { $0.connectionUse }.filter { $0.isFull }
        let adapter = peripheral?.assumeIsolated { $0.adapterName } ?? "the adapter"
        guard full.count > 1 else { return "all \(used) connections of \(adapter) are in use" }
        let uses = full.map { "\($0.connections) of \($0.adapter.name)" }.joined(separator: ", ")
        return "all connections are in use: \(uses)"
    }

    /// Whether the device should have been seen by now, but was not.
    var isMissing: Bool {
        !status.isSeen && (configuration.connect.isConnectedByItself || configuration.listensToAdvertisements)
    }

    /// The availability, and the time at which it changes if no value or advertisement arrives.
    var judgement: Presence.Judgement {
        if configuration.connect == .never, let listener = advertised.listener {
            return status.presence.judge(
                session, listener.silence, refusal: listener.refusal?.description, at: loop.now)
        }
        return status.presence.judge(
            session, next: nextOverdue, obstacle: session.isWaitingForSlot ? status.slotReason : nil, at: loop.now)
    }

    /// The characteristic with the earliest deadline for its next value; nil if no characteristic has a deadline.
    private var nextOverdue: Presence.Overdue? {
        var next: Presence.Overdue?
        if let expect = configuration.expect, let last = status.history.lastSeen {
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

    /// The device's entry in the payload of the gateway's topic `health`.
    var health: JSON {
        let seen = peripheral?.assumeIsolated { $0.lastSeen }
        let last = [seen, status.history.lastSeen].compactMap { $0 }.max()
        var health = status.history.json(
            lastSeen: last.map { instant in
                Timestamp(milliseconds: loop.timestamp.milliseconds - (loop.now - instant).nanoseconds / 1_000_000)
            })
        if let listener = advertised.listener { health["advertisements"] = listener.counters.json }
        let strength = advertised.listener?.strength?.rssi ?? peripheral?.assumeIsolated { $0.rssi }
        health.add("rssi", strength.map { JSON.number(JSON.Number($0)) })
        health.add("battery", battery)
        return .object(health)
    }

    /// The newest charge of the battery in percent; nil if the device does not report it.
    private var battery: JSON? {
        publications.lazy.filter { $0.name == "battery" || $0.name == "battery_level" }.compactMap(\.number).first
    }

    /// Publishes `info`: name, address, identity, characteristics and advertised quantities.
    func publishInfo() {
        let characteristics = bindings.map { binding -> (String, JSON) in
            (binding.name, binding.info)
        }
        var info: JSON.Object = ["name": .string(name), "address": .string("\(configuration.address)")]
        let identityAddress = peripheral?.assumeIsolated { $0.identity }
        if let identityAddress { info["identity"] = .string("\(identityAddress)") }
        let offer: JSON.Object = ["characteristics": .object(JSON.Object(characteristics))]
        publish(.object(info.adding(identity.info).adding(offer).adding(advertised.info)), "info")
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
        let readings = publications.filter(\.isRetained).map(\.name)
        return (["connection", "availability", "info"] + readings).compactMap { try? publisher.topics.device(name, $0) }
    }

    /// Publishes again the readings that the broker may have lost.
    func republishReadings() {
        for publication in publications { publication.republish() }
    }

    /// Publishes the payload of `PREFIX/DEVICE/NAME`, retained.
    func publish(_ json: JSON, _ name: String) {
        do throws(TopicError) {
            publisher.publish(state: json, on: try publisher.topics.device(self.name, name))
        } catch {
            preconditionFailure("the topics of \(self.name) are invalid although they were validated: \(error)")
        }
    }
}
