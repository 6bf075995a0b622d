import CMosquitto

extension Connection {
    /// Installs the callbacks of libmosquitto, which record events.
    func installCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, owner, code, flags, properties in
            Connection.from(owner).recordAnswer(code, resumed: flags & 1 != 0, properties)
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, owner, code, _ in
            // Created first, while errno still contains the cause.
            let error = LibraryError(code)
            Connection.from(owner).recordEnd(code, error)
        }
        mosquitto_message_v5_callback_set(handle) { _, owner, message, properties in
            guard let message = message?.pointee, let topic = message.topic else { return }
            let connection = Connection.from(owner)
            let length = min(Int(message.payloadlen), connection.settings.maximumPayloadSize)
            let payload = Array(UnsafeRawBufferPointer(start: message.payload, count: length))
            connection.record(
                .received(
                    Message(
                        Topic(received: String(cString: topic)), payload,
                        qualityOfService: QualityOfService(rawValue: message.qos) ?? .atMostOnce,
                        isRetained: message.retain, properties: Message.Properties(properties))))
        }
        mosquitto_publish_v5_callback_set(handle) { _, owner, identifier, code, _ in
            Connection.from(owner).record(.published(identifier: identifier, failure: Connection.failure(code)))
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, owner, identifier, count, granted, _ in
            let code = count > 0 ? granted?.pointee ?? 0 : 0
            Connection.from(owner).record(.subscribed(identifier: identifier, failure: Connection.failure(code)))
        }
        mosquitto_unsubscribe_v5_callback_set(handle) { _, owner, identifier, _ in
            Connection.from(owner).record(.unsubscribed(identifier: identifier))
        }
    }

    /// Starts or stops recording the errors that libmosquitto logs.
    ///
    /// With a log callback libmosquitto formats a line about each packet, which costs as much as sending it.
    func logErrors(_ isOn: Bool) {
        guard isOn else { return mosquitto_log_callback_set(handle, nil) }
        mosquitto_log_callback_set(handle) { _, owner, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            let connection = Connection.from(owner)
            let error = connection.readable(String(cString: text))
            // OpenSSL's text for a closed connection is ignored: other texts describe this case better.
            if error != "unexpected eof while reading" { connection.record(loggedError: error) }
        }
    }

    private static func from(_ owner: UnsafeMutableRawPointer?) -> Connection {
        guard let owner else { preconditionFailure("libmosquitto has lost its user data") }
        return Unmanaged<Connection>.fromOpaque(owner).takeUnretainedValue()
    }

    private func recordAnswer(_ code: Int32, resumed: Bool, _ properties: OpaquePointer?) {
        guard code == 0 else {
            let explanation = Message.Properties.string(MQTT_PROP_REASON_STRING, in: properties)
            return record(.refused(Refusal(code: UInt8(clamping: code), explanation: explanation)))
        }
        var maximum: UInt16 = 0
        let isGiven =
            mosquitto_property_read_int16(properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &maximum, false) != nil
        var quality: UInt8 = 2
        mosquitto_property_read_byte(properties, Int32(MQTT_PROP_MAXIMUM_QOS.rawValue), &quality, false)
        record(
            .accepted(
                resumed: resumed, receiveMaximum: isGiven ? maximum : nil,
                best: QualityOfService(rawValue: Int32(quality)) ?? .exactlyOnce))
    }

    private func recordEnd(_ code: Int32, _ error: LibraryError) {
        // The CONNACK of an MQTT 3 broker has no properties. 2.0.11 recognises it, 2.0.21 reports a malformed packet.
        if error.code == MOSQ_ERR_MALFORMED_PACKET, !isAnswered, settings.version == .five {
            return record(.refused(Refusal(code: UInt8(MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue))))
        }
        // The reason codes of MQTT 5 begin above libmosquitto's error codes.
        let reason =
            switch code {
            case ..<128: disconnectReason(for: error)
            case Int32(MQTT_RC_SESSION_TAKEN_OVER.rawValue):
                "another client has connected with the same identifier, \(settings.identifier)"
            default: String(cString: mosquitto_reason_string(code))
            }
        record(.disconnected(reason: reason))
    }

    /// Returns the text of a reason code; nil for a success.
    private static func failure(_ code: Int32) -> String? {
        code < 128 ? nil : String(cString: mosquitto_reason_string(code))
    }

    /// Shortens an error that libmosquitto logged, and adds the cause if it is known.
    ///
    /// `OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed` becomes `certificate verify failed`,
    /// with the error of the certificate.
    private func readable(_ logged: String) -> String {
        guard !logged.hasPrefix("OpenSSL Error") else {
            let text = logged.split(separator: ":").last.map(String.init) ?? logged
            return certificateError.map { "\(text): \($0)" } ?? text
        }
        var text = logged.hasPrefix("Error: ") ? logged.dropFirst("Error: ".count) : Substring(logged)
        if text.last == "." { text.removeLast() }
        if text.hasPrefix("Unable to load client key file") {
            return "\(text): it is not a key, or it does not belong to cert_file"
        }
        return text == "host name verification failed"
            ? "\(text): the broker's certificate is for another host than that of url" : String(text)
    }
}
