internal import CMosquitto

extension Connection {
    /// Has the library report to this object, which is its user data.
    func installCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, owner, code, flags, properties in
            Connection.from(owner).noteAnswer(code, resumed: flags & 1 != 0, properties)
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, owner, code, _ in
            // First of all: errno still says why.
            let error = LibraryError(code)
            Connection.from(owner).noteEnd(code, error)
        }
        mosquitto_message_v5_callback_set(handle) { _, owner, message, properties in
            guard let message = message?.pointee, let topic = message.topic else { return }
            let connection = Connection.from(owner)
            let length = min(Int(message.payloadlen), connection.settings.longestPayload)
            let payload = Array(UnsafeRawBufferPointer(start: message.payload, count: length))
            connection.note(
                .received(
                    Message(
                        Topic(received: String(cString: topic)), payload,
                        qualityOfService: QualityOfService(rawValue: message.qos) ?? .atMostOnce,
                        isRetained: message.retain, properties: Message.Properties(properties))))
        }
        mosquitto_publish_v5_callback_set(handle) { _, owner, identifier, code, _ in
            Connection.from(owner).note(.published(identifier: identifier, failure: Connection.failure(code)))
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, owner, identifier, count, granted, _ in
            let code = count > 0 ? granted?.pointee ?? 0 : 0
            Connection.from(owner).note(.subscribed(identifier: identifier, failure: Connection.failure(code)))
        }
        mosquitto_unsubscribe_v5_callback_set(handle) { _, owner, identifier, _ in
            Connection.from(owner).note(.unsubscribed(identifier: identifier))
        }
    }

    /// Takes note of what the library complains about, or no longer: as long as somebody listens it writes a line about
    /// each packet, which costs as much as to send it.
    func listenToComplaints(_ isListening: Bool) {
        guard isListening else { return mosquitto_log_callback_set(handle, nil) }
        mosquitto_log_callback_set(handle) { _, owner, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            let connection = Connection.from(owner)
            let complaint = connection.readable(String(cString: text))
            // So OpenSSL says that the broker hangs up, which may as well come as an error of the system.
            if complaint != "unexpected eof while reading" { connection.note(complaint: complaint) }
        }
    }

    private static func from(_ owner: UnsafeMutableRawPointer?) -> Connection {
        guard let owner else { preconditionFailure("libmosquitto has lost the connection's object") }
        return Unmanaged<Connection>.fromOpaque(owner).takeUnretainedValue()
    }

    private func noteAnswer(_ code: Int32, resumed: Bool, _ properties: OpaquePointer?) {
        guard code == 0 else {
            let explanation = Message.Properties.string(MQTT_PROP_REASON_STRING, in: properties)
            return note(.refused(Refusal(code: UInt8(clamping: code), explanation: explanation)))
        }
        var maximum: UInt16 = 0
        let isGiven =
            mosquitto_property_read_int16(properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &maximum, false) != nil
        var quality: UInt8 = 2
        mosquitto_property_read_byte(properties, Int32(MQTT_PROP_MAXIMUM_QOS.rawValue), &quality, false)
        note(
            .accepted(
                resumed: resumed, receiveMaximum: isGiven ? maximum : nil,
                best: QualityOfService(rawValue: Int32(quality)) ?? .exactlyOnce))
    }

    private func noteEnd(_ code: Int32, _ error: LibraryError) {
        // An older broker's CONNACK has no properties. 2.0.11 recognises it, 2.0.21 calls it malformed.
        if error.code == MOSQ_ERR_MALFORMED_PACKET, !isAnswered, settings.version == .five {
            return note(.refused(Refusal(code: UInt8(MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue))))
        }
        // MQTT 5's reasons begin where the library's errors end.
        let reason = code < 128 ? words(forEnd: error) : String(cString: mosquitto_reason_string(code))
        note(.disconnected(reason: reason))
    }

    /// The words for a reason code that says no.
    private static func failure(_ code: Int32) -> String? {
        code < 128 ? nil : String(cString: mosquitto_reason_string(code))
    }

    /// `OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed` without what nobody reads, and with
    /// what is wrong with the certificate.
    private func readable(_ complaint: String) -> String {
        guard !complaint.hasPrefix("OpenSSL Error") else {
            let words = complaint.split(separator: ":").last.map(String.init) ?? complaint
            return certificateFault.map { "\(words): \($0)" } ?? words
        }
        var words = complaint.hasPrefix("Error: ") ? complaint.dropFirst("Error: ".count) : Substring(complaint)
        if words.last == "." { words.removeLast() }
        if words.hasPrefix("Unable to load client key file") {
            return "\(words): it is no key, or not the one that belongs to cert_file"
        }
        return words == "host name verification failed"
            ? "\(words): the broker's certificate is for another host than that of url" : String(words)
    }
}
