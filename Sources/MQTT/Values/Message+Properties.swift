extension Message {
    /// The properties of a PUBLISH packet (MQTT 5, 3.3.2.3).
    package struct Properties: Hashable, Sendable {
        /// How long the message may wait for delivery, in whole seconds on the wire; nil: no limit.
        ///
        /// With MQTT 3.1.1, the expiry limits only the time in the client's queue.
        package var expiry: Duration?
        /// The MIME type of the payload.
        package var contentType: String?
        /// The topic for the response to this message.
        package var responseTopic: Topic?
        /// The data that the response repeats, so that the requester can match it with its request.
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

    /// A name and a value whose meaning the application defines; a name may occur several times.
    package struct UserProperty: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
