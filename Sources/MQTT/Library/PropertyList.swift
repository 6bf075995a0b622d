import CMosquitto
import EventLoop
import System

/// A list of MQTT 5 properties, allocated by libmosquitto.
struct PropertyList: ~Copyable {
    private(set) var head: OpaquePointer?

    init() {}

    deinit {
        var list = head
        mosquitto_property_free_all(&list)
    }

    /// Creates the list of a message.
    ///
    /// - Throws: `LibraryError` for text that is not valid in MQTT.
    init(_ properties: Message.Properties) throws(LibraryError) {
        if let expiry = properties.expiry {
            // Rounded up: zero would mean that the message has expired.
            let seconds = (expiry.nanoseconds + 999_999_999) / 1_000_000_000
            try add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, UInt32(clamping: seconds))
        }
        if let contentType = properties.contentType { try add(MQTT_PROP_CONTENT_TYPE, contentType) }
        if let topic = properties.responseTopic { try add(MQTT_PROP_RESPONSE_TOPIC, topic.description) }
        if let data = properties.correlationData { try add(MQTT_PROP_CORRELATION_DATA, data) }
        for property in properties.userProperties {
            try check(
                mosquitto_property_add_string_pair(
                    &head, Int32(MQTT_PROP_USER_PROPERTY.rawValue), property.name, property.value))
        }
    }

    mutating func add(_ identifier: mqtt5_property, _ value: UInt32) throws(LibraryError) {
        try check(mosquitto_property_add_int32(&head, Int32(identifier.rawValue), value))
    }

    private mutating func add(_ identifier: mqtt5_property, _ value: String) throws(LibraryError) {
        try check(mosquitto_property_add_string(&head, Int32(identifier.rawValue), value))
    }

    private mutating func add(_ identifier: mqtt5_property, _ value: [UInt8]) throws(LibraryError) {
        try check(
            mosquitto_property_add_binary(&head, Int32(identifier.rawValue), value, UInt16(clamping: value.count)))
    }

    /// Transfers the list to libmosquitto, which frees it.
    mutating func release() {
        head = nil
    }
}
