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
    init(_ message: Message, fields: [String], _ reply: ReplyAddress) throws(RejectedRequest) {
        var reply = reply
        do throws(RequestError) {
            let payload = try Request.json(message.payload)
            var parameters = JSON.Object()
            if var object = payload.object {
                for name in ["transaction", "ttl"] where !fields.contains(name) {
                    parameters[name] = object[name]
                    object[name] = nil
                }
                value = .object(object)
            } else {
                value = payload
            }
            reply.transaction = parameters["transaction"]
            timeToLive = try Request.timeToLive(of: message, parameters)
        } catch {
            throw RejectedRequest(error: error, reply: reply)
        }
        self.reply = reply
    }
}
