import Bluetooth
import Codec
import EventLoop
import JSON
import Log
import System

/// Log lines and events about the device.
extension Device {
    func announceConnected() {
        log.info("connected")
        publisher.publish(.deviceConnected(device: name), at: loop.timestamp)
    }

    func announceServicesChanged() {
        log.info("the services have changed: discovering them again")
        publisher.publish(.servicesChanged(device: name), at: loop.timestamp)
    }

    /// Publishes the first of consecutive failures to connect; the connection status contains their number.
    func announceFailure(_ reason: String) {
        guard session.attempts == 1 else { return }
        publisher.publish(.connectFailed(device: name, reason: reason), at: loop.timestamp)
    }

    func publishDisconnected() {
        let reason = session.explanation ?? status.presence.stopReason ?? "session complete"
        log.info("disconnected", ["reason": reason])
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

    /// Logs and publishes why an advertisement cannot be decoded.
    func announce(_ error: AdvertisementError, _ advertisement: Advertisement) {
        log.warning("cannot decode the advertisement: \(error)")
        guard case .undecodable = error else {
            return publisher.publish(.advertisementRefused(device: name, reason: "\(error)"), at: loop.timestamp)
        }
        let data = Array(advertisement.manufacturerData.values) + Array(advertisement.serviceData.values)
        publisher.publish(
            .decodeFailed(
                device: name, characteristic: "advertisement", hex: data.first?.hexadecimal ?? "",
                reason: "\(error)", count: 1), at: loop.timestamp)
    }
}
