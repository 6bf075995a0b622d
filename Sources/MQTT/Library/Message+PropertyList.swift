import CMosquitto
import Glibc

extension Message.Properties {
    /// Creates the properties from the list of a received message.
    init(_ list: OpaquePointer?) {
        self.init()
        // Each call below searches the whole list; most messages have no list.
        guard let list else { return }
        var seconds: UInt32 = 0
        if mosquitto_property_read_int32(list, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), &seconds, false)
            != nil
        {
            expiry = .seconds(Int64(seconds))
        }
        contentType = Self.string(MQTT_PROP_CONTENT_TYPE, in: list)
        responseTopic = Self.string(MQTT_PROP_RESPONSE_TOPIC, in: list).flatMap(Self.responseTopic)
        correlationData = Self.data(MQTT_PROP_CORRELATION_DATA, in: list)
        userProperties = Self.pairs(MQTT_PROP_USER_PROPERTY, in: list)
    }

    /// Returns a Response Topic, which a client chooses; nil if it is not valid, or longer than 4,096 bytes.
    private static func responseTopic(_ text: String) -> Topic? {
        text.utf8.count <= 4096 ? try? Topic(text) : nil
    }

    static func string(_ identifier: mqtt5_property, in list: OpaquePointer?) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string(list, Int32(identifier.rawValue), &text, false) != nil else { return nil }
        return take(text)
    }

    private static func data(_ identifier: mqtt5_property, in list: OpaquePointer) -> [UInt8]? {
        var bytes: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        guard mosquitto_property_read_binary(list, Int32(identifier.rawValue), &bytes, &count, false) != nil
        else { return nil }
        defer { free(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    private static func pairs(_ identifier: mqtt5_property, in list: OpaquePointer) -> [Message.UserProperty] {
        var pairs: [Message.UserProperty] = []
        var place: OpaquePointer? = list
        var name: UnsafeMutablePointer<CChar>?
        var value: UnsafeMutablePointer<CChar>?
        while true {
            // From the second call on, the search begins after the last pair found.
            place = mosquitto_property_read_string_pair(
                place, Int32(identifier.rawValue), &name, &value, !pairs.isEmpty)
            guard place != nil, let name = take(name), let value = take(value) else { return pairs }
            pairs.append(Message.UserProperty(name, value))
        }
    }

    /// Copies a text that libmosquitto allocated, and frees it.
    private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
