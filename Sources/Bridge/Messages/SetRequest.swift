import JSON
import MQTT

/// A request on `NAME/set`: the value to write, and the destination of its response.
struct SetRequest: Sendable {
    let value: JSON
    let reply: ReplyAddress
    /// The maximum time that the request may wait for the device.
    let timeToLive: Duration

    /// Parses the payload, which is the value; a JSON object may also contain `transaction` and `ttl`.
    ///
    /// - Parameters:
    ///   - message: the message on `NAME/set`.
    ///   - fields: the names of the fields of the value; a field with the name `transaction` or `ttl` is part of the
    ///     value.
    ///   - reply: the destination of the response.
    /// - Throws: `RejectedRequest` with `bad_request`.
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
            try reply.setTransaction(parameters["transaction"])
            timeToLive = try Request.timeToLive(of: message, parameters)
        } catch {
            throw RejectedRequest(error: error, reply: reply)
        }
        self.reply = reply
    }
}
