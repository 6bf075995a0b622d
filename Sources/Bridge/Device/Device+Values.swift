internal import BlueZ
internal import Codec
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log
internal import MQTT

/// From bytes to readings, and to the broker.
extension Device {
    /// A value came by itself.
    func received(_ bytes: [UInt8], of characteristic: BlueZ.Characteristic) {
        guard let index = channels.firstIndex(where: { $0.characteristic == characteristic }) else { return }
        guard decode(bytes, at: index) != nil else { return }
        process(.obtained(channels[index].name, isNotification: true))
    }

    /// A value was read: decoded and published; nil when the bytes do not fit.
    func decoded(_ bytes: [UInt8], of name: String) -> ReceivedReading? {
        guard let index = channels.firstIndex(where: { $0.name == name }) else { return nil }
        return decode(bytes, at: index)
    }

    private func decode(_ bytes: [UInt8], at index: Int) -> ReceivedReading? {
        let reading: Reading
        do {
            guard let whole = try channels[index].decode(bytes) else { return nil }
            reading = whole
        } catch {
            decodeFailed(bytes, at: index, "\(error)")
            return nil
        }
        let received = ReceivedReading(reading: reading, time: loop.timestamp)
        channels[index].latest = received
        channels[index].rhythm.beat(at: loop.now)
        if identity.note(reading.value, of: channels[index].configuration.uuid) { tellIdentity() }
        if session.missing != nil { collected[channels[index].name] = received }
        admit(received, at: index)
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

    // MARK: Publishing

    private func admit(_ received: ReceivedReading, at index: Int) {
        switch channels[index].gate.admit(received.reading.value, at: loop.now) {
        case .publish: publish(received, at: index)
        case .drop: break
        case .delay(let duration):
            // The newest of those that come meanwhile goes out when the time has come.
            guard channels[index].delayed == nil else { return }
            channels[index].delayed = loop.schedule(after: duration) { [unowned self] in
                channels[index].delayed = nil
                releaseDelayed(at: index)
            }
        }
    }

    private func releaseDelayed(at index: Int) {
        guard let latest = channels[index].latest else { return }
        if channels[index].gate.release(latest.reading.value, at: loop.now) { publish(latest, at: index) }
    }

    private func publish(_ received: ReceivedReading, at index: Int) {
        channels[index].delayed?.cancel()
        channels[index].delayed = nil
        channels[index].published = (received, loop.now)
        send(received, at: index, expiry: channels[index].expiry(plan.connect))
        guard let interval = channels[index].configuration.publish.atLeastEvery else { return }
        channels[index].heartbeat?.cancel()
        channels[index].heartbeat = loop.schedule(after: interval) { [unowned self] in
            // Silence of a device that is there means that nothing changed; of one that is not, nothing.
            guard isDeviceAvailable, let latest = channels[index].latest else { return }
            channels[index].gate.repeated(at: loop.now)
            publish(latest, at: index)
        }
    }

    private func send(_ received: ReceivedReading, at index: Int, expiry: Duration?) {
        let channel = channels[index]
        let style = channel.configuration.publish.payload
        let message = Message(
            channel.topic, Array(received.payload(style).utf8), qualityOfService: channel.qualityOfService,
            isRetained: channel.configuration.retain,
            properties: outlet.properties(
                contentType: style == .json ? "application/json" : "text/plain", expiry: expiry))
        outlet.client.publish(message, keeping: channel.configuration.retain ? .latest : .each)
    }

    /// Publishes once more what the broker should have kept, and may have lost.
    func republishReadings() {
        for index in channels.indices where channels[index].configuration.retain {
            guard let (reading, time) = channels[index].published else { continue }
            let expiry = channels[index].expiry(plan.connect).map { $0 - (loop.now - time) }
            if expiry ?? .seconds(1) > .zero { send(reading, at: index, expiry: expiry) }
        }
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
