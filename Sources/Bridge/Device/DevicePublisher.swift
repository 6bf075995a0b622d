import BlueZ
import Bluetooth
import Codec
import Contract
import Devices
import EventLoop
import JSON
import Log
import MQTT
import System

/// Publishes the events, states and responses of one device, and logs what happens to the device.
final class DevicePublisher {
    let name: String
    private let loop: EventLoop
    /// The gateway's publisher, which is replaced when the settings of the broker change.
    private(set) var publisher: Publisher
    /// nil: the device is not shared with other gateways.
    private(set) var ownership: Ownership?

    init(_ name: String, _ publisher: Publisher, loop: EventLoop) {
        self.name = name
        self.publisher = publisher
        self.loop = loop
    }

    var log: Log { Log(name) }

    /// Uses another publisher from now on.
    func move(to publisher: Publisher) {
        self.publisher = publisher
    }

    /// Shares the device with other gateways.
    func share(by ownership: Ownership) {
        self.ownership = ownership
    }

    /// Publishes an event, unless another gateway publishes the device.
    func publish(_ event: GatewayEvent) {
        guard ownership?.mayPublish ?? true else { return }
        publisher.publish(event, at: loop.timestamp)
    }

    /// Publishes a state of the device, unless another gateway publishes the device.
    func publish(_ json: JSON, _ topic: DeviceTopic) {
        guard ownership?.admitsState() ?? true else { return }
        do throws(TopicError) {
            publisher.publish(state: json, on: try publisher.topics.device(name, topic))
        } catch {
            preconditionFailure("the topics of \(name) are invalid although they were validated: \(error)")
        }
    }

    /// Publishes a reading of the past on its late topic.
    ///
    /// - Parameters:
    ///   - received: The reading with its own time.
    ///   - reading: The name of the characteristic or quantity.
    ///   - completion: Receives whether the broker has accepted the message.
    func publish(
        late received: ReceivedReading, of reading: String, completion: @escaping @Sendable (_ isAccepted: Bool) -> Void
    ) {
        do throws(TopicError) {
            let topic = try publisher.topics.device(name, .reading, reading)
            try publisher.publish(late: received, of: topic, at: loop.timestamp, completion: completion)
        } catch {
            // The name of an advertised quantity in a format can be unfit for a topic.
            log.warning("\(reading): cannot publish a record: \(error)")
            completion(true)
        }
    }

    func respond(_ result: Result<JSON, RequestError>, to reply: ReplyAddress) {
        publisher.respond(result, to: reply)
    }

    // MARK: Connections

    /// Logs the first advertisement or connection since the start.
    func firstSeen(_ rssi: Int?, by adapter: String?) {
        log.info("first seen", ["rssi": rssi.map(String.init) ?? "", "adapter": adapter ?? ""])
    }

    func connected(by adapter: String?) {
        log.info("connected", ["adapter": adapter ?? ""])
        publish(.deviceConnected(device: name))
    }

    func servicesChanged() {
        log.info("the services have changed and were discovered again")
        publish(.servicesChanged(device: name))
    }

    /// Logs and publishes the end of a connection.
    ///
    /// - Parameters:
    ///   - reason: Why the connection has ended.
    ///   - end: The end of a pause; nil if there is no pause, or if the pause has no end.
    func disconnected(because reason: String, until end: Timestamp?) {
        // One line of the gateway reports the end of bluetoothd with the number of connections.
        if reason == Session.serviceEnd {
            log.debug("disconnected", ["reason": reason])
        } else {
            log.info("disconnected", ["reason": reason])
        }
        publish(.deviceDisconnected(device: name, reason: reason, until: end))
    }

    /// Logs that the device ends its connections by itself, although `connect: always` makes another one each time.
    func disconnectsWhenIdle(_ habit: IdleDisconnections.Habit) {
        let (count, time) = (IdleDisconnections.limit, IdleDisconnections.longestConnection.text)
        let cause =
            habit.isCertain
            ? "the device has ended the last \(count) connections" : "the last \(count) connections were lost"
        let advice =
            habit.isAlwaysOn
            ? "if the device disconnects when it is idle, write connect: every 10m, or connect: on demand if only commands "
                + "need it"
            : "if the device is switched on only while it is used, write occasional: true"
        log.warning("\(cause), each within \(time) after it was made", ["advice": advice])
    }

    /// Logs that a connection could not be made or used; the session tries again with growing delays.
    func failedAttempt(_ session: Session) {
        log.always.warning("no usable connection: \(session.reason ?? "")", ["attempt": session.attempts])
    }

    /// Publishes that a connection could not be made.
    func connectFailed(_ reason: String) {
        publish(.connectFailed(device: name, reason: reason))
    }

    /// Logs a step of the session, for the level `debug`.
    func step(of session: Session, from phase: Session.Phase) {
        guard phase != session.phase else { return }
        log.debug("\(session.phase)", ["after": "\(phase)", "reason": session.explanation ?? ""])
    }

    /// Logs an availability that differs from the one that the log shows.
    ///
    /// - Parameters:
    ///   - availability: The availability.
    ///   - isStopped: Whether the device is no longer managed.
    func log(_ availability: Availability, isStopped: Bool) {
        guard let reason = availability.reason else {
            return log.info("available")
        }
        if reason == Presence.noBluetooth || isStopped {
            log.debug("\(availability.state.rawValue)", ["reason": reason])
        } else {
            log.info("\(availability.state.rawValue)", ["reason": reason])
        }
    }

    /// Publishes the identity address that the bond has revealed for the configured private address.
    func identified(as address: Address) {
        log.info("the identity address is \(address)", ["advice": "use it in the configuration"])
        publish(.identified(device: name, identity: address))
    }

    // MARK: Values

    /// Logs and publishes that a value does not fit its format.
    ///
    /// - Parameters:
    ///   - hex: The value in hexadecimal digits, or a text in its place if it must not be shown.
    ///   - name: The name of the characteristic.
    ///   - reason: Why the value does not fit.
    ///   - count: The number of such values since the last report, including this one.
    func decodingFailed(_ hex: String, of name: String, _ reason: String, _ count: Int) {
        let others: Log.Fields = count > 1 ? ["since_last_report": count] : [:]
        log.warning("\(name): cannot decode \(hex.isEmpty ? "an empty value" : hex): \(reason)", others)
        publish(.decodeFailed(device: self.name, characteristic: name, hex: hex, reason: reason, count: count))
    }

    func received(_ advertisement: Advertisement) {
        log.debug(
            "advertisement", ["data": advertisement.payloads.map(\.hexadecimal).joined(separator: ",")])
    }

    /// Logs and publishes that a lower counter of encrypted packets was accepted.
    func counterRestarted() {
        log.warning(
            "the device counts its encrypted packets anew: new batteries, or another device replays its packets")
        publish(.counterRestarted(device: name))
    }

    /// Logs and publishes why an advertisement cannot be decoded.
    func decodingFailed(_ advertisement: Advertisement, _ error: AdvertisementError) {
        log.warning("cannot decode the advertisement: \(error)")
        guard case .undecodable = error else {
            return publish(.advertisementRefused(device: name, reason: "\(error)"))
        }
        publish(
            .decodeFailed(
                device: name, characteristic: "advertisement", hex: advertisement.payloads.first?.hexadecimal ?? "",
                reason: "\(error)", count: 1))
    }
}

extension Advertisement {
    /// The manufacturer data and the service data, without their companies and services.
    fileprivate var payloads: [[UInt8]] { Array(manufacturerData.values) + Array(serviceData.values) }
}
