internal import BlueZ
internal import Bluetooth
internal import Codec
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log

/// From bytes to readings, and to the broker.
extension Device {
    /// A value came by itself.
    func received(_ bytes: Span<UInt8>, of characteristic: BlueZ.Characteristic) {
        // Without a closure: it would be asked each time whether it runs where it may.
        for index in channels.indices where channels[index].characteristic == characteristic {
            guard case .some = decode(bytes, at: index) else { return }
            if isExpected(at: index) {
                history.notified(at: loop.now)
            } else {
                process(.obtained(channels[index].name, isNotification: true))
            }
            return
        }
    }

    /// Whether a value of a channel changes nothing but the channel itself: the most of them, by far.
    private func isExpected(at index: Int) -> Bool {
        guard session.expectsNothing, publishedAvailability?.state == .online else { return false }
        return channels[index].rhythm.deadline == nil || judgementTimer != nil
    }

    /// A value was read: decoded and published; nil when the bytes do not fit.
    func decoded(_ bytes: [UInt8], of name: String) -> ReceivedReading? {
        guard let index = channels.firstIndex(where: { $0.name == name }) else { return nil }
        return decode(bytes.span, at: index)
    }

    private func decode(_ bytes: Span<UInt8>, at index: Int) -> ReceivedReading? {
        let reading: Reading
        do {
            guard let whole = try channels[index].decode(bytes) else { return nil }
            reading = whole
        } catch {
            decodeFailed([UInt8](bytes), at: index, "\(error)")
            return nil
        }
        let received = ReceivedReading(reading: reading, time: loop.timestamp)
        if identity.note(reading.value, of: channels[index].configuration.uuid) { tellIdentity() }
        if session.missing != nil { collected[channels[index].name] = received }
        channels[index].publish(received, of: configuration, at: loop.now)
        return received
    }

    private func decodeFailed(_ bytes: [UInt8], at index: Int, _ reason: String) {
        let name = channels[index].name
        history.decodeFailed()
        log.warning("cannot decode \(name): \(reason)", ["hex": bytes.hexadecimal])
        outlet.announce(
            "decode_failed", device: self.name,
            ["characteristic": .string(name), "hex": .string(bytes.hexadecimal), "reason": .string(reason)],
            at: loop.timestamp)
    }

    /// Publishes once more what the broker should have kept, and may have lost.
    func republishReadings() {
        for publication in publications { publication.republish() }
    }

    // MARK: Collecting

    /// A collecting session is over; those who asked for it are told.
    func collectingEnded(missing: Set<String>) {
        let values = collected
        collected = [:]
        if missing.isEmpty {
            presence.lastCollected = loop.now
        } else {
            let names = missing.sorted().joined(separator: ", ")
            log.warning("no value of \(names) within \(configuration.within.text)")
        }
        for command in collectors { finish(command, outcome(values, missing)) }
    }

    private func outcome(
        _ values: [String: ReceivedReading], _ missing: Set<String>
    ) -> Result<JSON, RequestError> {
        guard missing.isEmpty else {
            let names = missing.sorted().joined(separator: ", ")
            return .failure(RequestError(.timeout, "\(name): no value of \(names) within \(configuration.within.text)"))
        }
        let members = channels.compactMap { channel in
            values[channel.name].map { (channel.name, JSON(Value.record($0.record))) }
        }
        return .success(.object(JSON.Object(members)))
    }
}
