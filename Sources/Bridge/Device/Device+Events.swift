import Devices
import Contract
import BlueZ
import Bluetooth
import Codec
import EventLoop
import JSON
import Log
import System

/// Log lines and events about the device.
extension Device {
    func announceConnected() {
        log.info("connected", ["adapter": peripheral?.assumeIsolated { $0.adapterName } ?? ""])
        publisher.publish(.deviceConnected(device: name), at: loop.timestamp)
    }

    /// Logs that a connection could not be made or used; the session tries again with growing delays.
    func logFailedAttempt() {
        log.always.warning("no usable connection: \(session.reason ?? "")", ["attempt": session.attempts])
    }

    /// Logs an availability that differs from the one that the log shows.
    func log(_ availability: Availability) {
        guard let reason = availability.reason else {
            return log.info("available")
        }
        let isExpected = reason == Presence.noBluetooth || status.presence.stopReason != nil
        if isExpected {
            log.debug("\(availability.state.rawValue)", ["reason": reason])
        } else {
            log.info("\(availability.state.rawValue)", ["reason": reason])
        }
    }

    /// Logs a step of the session, for the level `debug`.
    func logStep(from phase: Session.Phase) {
        guard phase != session.phase else { return }
        log.debug("\(session.phase)", ["after": "\(phase)", "reason": session.explanation ?? ""])
    }

    func logAdvertisement(_ sighting: Sighting) {
        log.debug(
            "advertisement",
            ["data": sighting.advertisement.payloads.map(\.hexadecimal).joined(separator: ",")])
    }

    func announceServicesChanged() {
        log.info("the services have changed and were discovered again")
        publisher.publish(.servicesChanged(device: name), at: loop.timestamp)
    }

    /// Publishes the first of consecutive failures to connect; the connection status contains their number.
    func announceFailure(_ reason: String) {
        guard session.attempts == 1 else { return }
        publisher.publish(.connectFailed(device: name, reason: reason), at: loop.timestamp)
    }

    func publishDisconnected() {
        let reason = session.explanation ?? status.presence.stopReason ?? "session complete"
        // One line of the gateway reports the end of bluetoothd with the number of connections.
        if reason == Session.serviceEnd {
            log.debug("disconnected", ["reason": reason])
        } else {
            log.info("disconnected", ["reason": reason])
        }
        let end = session.isPaused ? status.pauseEnd : nil
        publisher.publish(.deviceDisconnected(device: name, reason: reason, until: end), at: loop.timestamp)
    }

    /// Logs and publishes that a value does not fit its format.
    ///
    /// - Parameters:
    ///   - bytes: The value.
    ///   - name: The name of the characteristic.
    ///   - reason: Why the value does not fit.
    ///   - count: The number of such values since the last report, including this one.
    func announceDecodingFailure(_ bytes: [UInt8], of name: String, _ reason: String, _ count: Int) {
        let others: Log.Fields = count > 1 ? ["since_last_report": count] : [:]
        log.warning("\(name): cannot decode \(bytes.hexadecimal): \(reason)", others)
        publisher.publish(
            .decodeFailed(
                device: self.name, characteristic: name, hex: bytes.hexadecimal, reason: reason, count: count),
            at: loop.timestamp)
    }

    /// Logs and publishes that a lower counter of encrypted packets was accepted.
    func announceCounterRestart() {
        log.warning(
            "the device counts its encrypted packets anew: new batteries, or another device replays its packets")
        publisher.publish(.counterRestarted(device: name), at: loop.timestamp)
    }

    /// Logs and publishes why an advertisement cannot be decoded.
    func announce(_ error: AdvertisementError, _ advertisement: Advertisement) {
        log.warning("cannot decode the advertisement: \(error)")
        guard case .undecodable = error else {
            return publisher.publish(.advertisementRefused(device: name, reason: "\(error)"), at: loop.timestamp)
        }
        let data = advertisement.payloads
        publisher.publish(
            .decodeFailed(
                device: name, characteristic: "advertisement", hex: data.first?.hexadecimal ?? "",
                reason: "\(error)", count: 1), at: loop.timestamp)
    }
}

extension Advertisement {
    /// The manufacturer data and the service data, without their companies and services.
    fileprivate var payloads: [[UInt8]] { Array(manufacturerData.values) + Array(serviceData.values) }
}
