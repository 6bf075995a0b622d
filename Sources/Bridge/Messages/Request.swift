internal import Configuration
internal import JSON
internal import MQTT

/// A request's parameters, and where its one response goes.
struct Request: Sendable {
    let parameters: JSON.Object
    let reply: ReplyAddress
    /// How long it may wait for its device.
    let timeToLive: Duration

    /// How many bytes a request may have.
    static let longestPayload = 64 << 10

    /// How long a request waits that does not say.
    static let standardTimeToLive = Duration.seconds(60)

    /// Reads the payload of a verb: an object, or nothing.
    ///
    /// - Throws: `RequestError` `bad_request`, with where to send it.
    init(verb message: Message, _ reply: ReplyAddress) throws(RejectedRequest) {
        var reply = reply
        let parameters: JSON.Object
        do throws(RequestError) {
            parameters = try Self.object(message.payload)
            reply.transaction = parameters["transaction"]
            timeToLive = try Self.timeToLive(of: message, parameters)
        } catch {
            throw RejectedRequest(error: error, reply: reply)
        }
        self.parameters = parameters
        self.reply = reply
    }

    /// Reads what goes with a wish to read, which any payload is: of what cannot be understood nothing is asked.
    init(get message: Message, _ reply: ReplyAddress) {
        parameters = (try? Self.object(message.payload)) ?? JSON.Object()
        let standard = min(Self.standardTimeToLive, message.expiry ?? Self.standardTimeToLive)
        timeToLive = (try? Self.timeToLive(of: message, parameters)) ?? standard
        var reply = reply
        reply.transaction = parameters["transaction"]
        self.reply = reply
    }

    private static func object(_ payload: [UInt8]) throws(RequestError) -> JSON.Object {
        if payload.isEmpty { return JSON.Object() }
        guard let object = try json(payload).object else {
            throw RequestError(.badRequest, "a JSON object was expected, such as {\"transaction\": 1}")
        }
        return object
    }

    /// - Throws: `RequestError` `bad_request` for what is not JSON.
    static func json(_ payload: [UInt8]) throws(RequestError) -> JSON {
        do throws(JSONError) {
            return try JSON(parsing: payload, limit: longestPayload)
        } catch {
            throw RequestError(.badRequest, "the payload is \(error)")
        }
    }

    /// How long a request may wait: as long as its parameters say, and no longer than its message is worth delivering
    /// (MQTT 5, 3.3.2.3.3).
    static func timeToLive(of message: Message, _ parameters: JSON.Object) throws(RequestError) -> Duration {
        let wanted = try duration("ttl", in: parameters) ?? standardTimeToLive
        return min(wanted, message.expiry ?? wanted)
    }

    /// A text among the parameters that must be there; `example` is how it would be written.
    static func text(_ name: String, in parameters: JSON.Object, example: String) throws(RequestError) -> String {
        guard let text = parameters[name]?.string, !text.isEmpty else {
            throw RequestError(.badRequest, "\(name): a text was expected, such as \(JSON.string(example))")
        }
        return text
    }

    /// A duration among the parameters, such as `"pause": "10m"`.
    static func duration(_ name: String, in parameters: JSON.Object) throws(RequestError) -> Duration? {
        guard let value = parameters[name], !value.isNull else { return nil }
        guard let text = value.string else {
            throw RequestError(.badRequest, "\(name): a duration was expected, such as \"30s\"")
        }
        do throws(Complaint) {
            return try Duration(text: text)
        } catch {
            throw RequestError(.badRequest, "\(name): \(error.sentence)")
        }
    }
}

/// A request that could not be understood, and who is to be told.
struct RejectedRequest: Error {
    let error: RequestError
    let reply: ReplyAddress
}
