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
        for channel in channels where channel.isOf(characteristic) {
            guard let received = decode(bytes, by: channel) else { return }
            let now = loop.now
            take(received, by: channel, at: now)
            if isExpected(by: channel) {
                history.notified(at: now)
            } else {
                process(.obtained(channel.name, isNotification: true))
            }
            return
        }
    }

    /// Whether a value of a channel changes nothing but the channel itself: the most of them, by far.
    private func isExpected(by channel: Channel) -> Bool {
        guard session.expectsNothing, publishedAvailability?.state == .online else { return false }
        return channel.rhythm.deadline == nil || judgementTimer != nil
    }

    /// A value was read: decoded and published; nil when the bytes do not fit.
    func decoded(_ bytes: [UInt8], of name: String) -> ReceivedReading? {
        guard let channel = channels.first(where: { $0.name == name }),
            let received = decode(bytes.span, by: channel)
        else { return nil }
        take(received, by: channel, at: loop.now)
        return received
    }

    private func decode(_ bytes: Span<UInt8>, by channel: Channel) -> ReceivedReading? {
        do {
            guard let reading = try channel.decode(bytes) else { return nil }
            return ReceivedReading(reading: reading, time: loop.timestamp)
        } catch {
            decodeFailed([UInt8](bytes), of: channel.name, "\(error)")
            return nil
        }
    }

    private func take(_ received: ReceivedReading, by channel: Channel, at now: Instant) {
        if identity.note(received.reading.value, of: channel.configuration.uuid) { tellIdentity() }
        if session.missing != nil { collected[channel.name] = received }
        channel.publish(received, configuration.treatment.connect, at: now)
    }

    private func decodeFailed(_ bytes: [UInt8], of name: String, _ reason: String) {
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
    func collectingEnded(missing: Set<String>, brokenOff cause: String?) {
        let values = collected
        collected = [:]
        let names = missing.sorted().joined(separator: ", ")
        if missing.isEmpty {
            presence.lastCollected = loop.now
            answerCollectors(.success(readings(values)))
        } else if let cause {
            log.info("collecting was broken off: \(cause)", ["missing": names])
            answerCollectors(failure("broken off without a value of \(names): \(cause)"))
        } else {
            let reason = "no value of \(names) within \(configuration.within.text)"
            log.warning(reason)
            answerCollectors(failure(reason))
        }
    }

    private func answerCollectors(_ outcome: Result<JSON, RequestError>) {
        for command in collectors { finish(command, outcome) }
    }

    private func failure(_ reason: String) -> Result<JSON, RequestError> {
        .failure(RequestError(.timeout, "\(name): \(reason)"))
    }

    private func readings(_ values: [String: ReceivedReading]) -> JSON {
        let members = channels.compactMap { channel in
            values[channel.name].map { (channel.name, JSON(Value.record($0.record))) }
        }
        return .object(JSON.Object(members))
    }
}
