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
            let quality = QualityOfService(rawValue: message.qos) ?? .atMostOnce
            connection.record(
                .received(
                    Message(
                        Topic(received: String(cString: topic)), payload, qualityOfService: quality,
                        isRetained: message.retain, properties: Message.Properties(properties),
                        isDuplicate: quality != .exactlyOnce && connection.takeDuplicateFlag())))
        }
        mosquitto_publish_v5_callback_set(handle) { _, owner, identifier, code, _ in
            let connection = Connection.from(owner)
            connection.record(.published(identifier: identifier, Rejection(code: code)))
            connection.acknowledgementRead()
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, owner, identifier, count, granted, _ in
            let code = count > 0 ? granted?.pointee ?? 0 : 0
            Connection.from(owner).record(.subscribed(identifier: identifier, Rejection(code: code)))
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
        record(.accepted(resumed: resumed, BrokerLimits(properties)))
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
            case Int32(MQTT_RC_QUOTA_EXCEEDED.rawValue), Int32(MQTT_RC_MESSAGE_RATE_TOO_HIGH.rawValue):
                "\(String(cString: mosquitto_reason_string(code))): set publish_rate if the broker limits messages"
            default: String(cString: mosquitto_reason_string(code))
            }
        record(.disconnected(reason: reason, cause: code < 128 ? endCause(for: error) : EndCause(reasonCode: code)))
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

extension BrokerLimits {
    /// Creates the limits from the properties of CONNACK.
    fileprivate init(_ properties: OpaquePointer?) {
        self.init()
        func byte(_ property: mqtt5_property) -> UInt8? {
            var value: UInt8 = 0
            return mosquitto_property_read_byte(properties, Int32(property.rawValue), &value, false).map { _ in value }
        }
        var (receiveMaximum, packetSize): (UInt16, UInt32) = (0, 0)
        if mosquitto_property_read_int16(
            properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &receiveMaximum, false) != nil
        {
            self.receiveMaximum = receiveMaximum
        }
        if mosquitto_property_read_int32(
            properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &packetSize, false) != nil
        {
            maximumPacketSize = packetSize
        }
        bestQuality = byte(MQTT_PROP_MAXIMUM_QOS).flatMap { QualityOfService(rawValue: Int32($0)) } ?? .exactlyOnce
        retainsMessages = byte(MQTT_PROP_RETAIN_AVAILABLE) != 0
        acceptsWildcards = byte(MQTT_PROP_WILDCARD_SUB_AVAILABLE) != 0
    }
}
