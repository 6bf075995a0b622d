internal import JSON
internal import MQTT

/// What `NAME/set` asks for: the value to write, and where the one response goes.
struct SetRequest: Sendable {
    let value: JSON
    let reply: ReplyAddress
    /// How long it may wait for its device.
    let timeToLive: Duration

    /// Reads the payload: the value itself; an object may have `transaction` and `ttl` beside what is to be written.
    ///
    /// - Parameter fields: the names that belong to the value, whatever they are.
    /// - Throws: `RequestError` `bad_request`, with where to send it.
    init(_ message: Message, fields: [String], replyTo topic: Topic) throws(RejectedRequest) {
        var reply = ReplyAddress(message, topic)
        do throws(RequestError) {
            let payload = try Request.json(message.payload)
            guard var object = payload.object else {
                (value, timeToLive) = (payload, Request.standardTimeToLive)
                self.reply = reply
                return
            }
            var parameters = JSON.Object()
            for name in ["transaction", "ttl"] where !fields.contains(name) {
                parameters[name] = object[name]
                object[name] = nil
            }
            reply.transaction = parameters["transaction"]
            timeToLive = try Request.timeToLive(parameters)
            value = .object(object)
        } catch {
            throw RejectedRequest(error: error, reply: reply)
        }
        self.reply = reply
    }
}
