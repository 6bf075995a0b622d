extension Message {
    /// What MQTT 5 lets a message carry besides its payload (MQTT 5, 3.3.2.3).
    package struct Properties: Hashable, Sendable {
        /// For how long the message is worth delivering; whole seconds on the wire.
        ///
        /// With MQTT 3.1.1 it still bounds how long the message waits here.
        package var expiry: Duration?
        /// The MIME type of the payload.
        package var contentType: String?
        /// Where the answer to this message is awaited.
        package var responseTopic: Topic?
        /// What the answer carries so that the asker knows its question.
        package var correlationData: [UInt8]?
        package var userProperties: [UserProperty]

        package init(
            expiry: Duration? = nil, contentType: String? = nil, responseTopic: Topic? = nil,
            correlationData: [UInt8]? = nil, userProperties: [UserProperty] = []
        ) {
            self.expiry = expiry
            self.contentType = contentType
            self.responseTopic = responseTopic
            self.correlationData = correlationData
            self.userProperties = userProperties
        }
    }

    /// A name and a value that mean something to those who use them; names may occur twice.
    package struct UserProperty: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
