import Codec
import Configuration
package import JSON
package import MQTT

/// The payload of a request on `request/VERB` or on `NAME/get`.
package struct Request: Sendable {
    package let parameters: JSON.Object
    package let transaction: Transaction?
    /// The maximum time that the request may wait for the device.
    package let timeToLive: Duration

    /// The maximum length of the payload of a request, in bytes.
    package static let longestPayload = 64 << 10

    /// The maximum time that a request without `ttl` may wait.
    package static let standardTimeToLive = Duration.seconds(60)
    /// The maximum time that any request may wait; a longer `ttl` is reduced to it.
    package static let longestTimeToLive = Duration.seconds(3600)

    /// Parses the payload of a request on `request/VERB`: a JSON object, or no bytes.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - reference: The description of the verb; nil for an unknown verb, which any payload may have: the verb is the
    ///     mistake to report.
    /// - Returns: The request.
    /// - Throws: `RejectedRequest` with `bad_request`.
    package static func parse(
        _ message: Message, of reference: VerbReference?
    ) throws(RejectedRequest) -> Request {
        guard let reference else { return Request(get: message) }
        return try Request(verb: message, reference)
    }

    private init(verb message: Message, _ reference: VerbReference) throws(RejectedRequest) {
        var transaction: Transaction?
        do throws(RequestError) {
            parameters = try Self.object(message.payload, reference)
            transaction = try Transaction(parameters["transaction"])
            timeToLive = try Self.timeToLive(of: message, parameters)
        } catch {
            throw RejectedRequest(error: error, transaction: transaction)
        }
        self.transaction = transaction
    }

    /// Parses the payload of `NAME/get`, which may contain any bytes; parameters that cannot be parsed are ignored.
    package init(get message: Message) {
        parameters = (try? Self.json(message.payload))?.object ?? JSON.Object()
        let standard = min(Self.standardTimeToLive, message.expiry ?? Self.standardTimeToLive)
        timeToLive = (try? Self.timeToLive(of: message, parameters)) ?? standard
        transaction = try? Transaction(parameters["transaction"])
    }

    /// Returns the transaction of a request that is rejected before it is parsed; nil if it has none.
    package static func transaction(of message: Message) -> Transaction? {
        try? Transaction((try? json(message.payload))?["transaction"])
    }

    private static func object(
        _ payload: [UInt8], _ reference: VerbReference
    ) throws(RequestError) -> JSON.Object {
        if payload.isEmpty { return JSON.Object() }
        let start = payload.first { !" \t\r\n".utf8.contains($0) }
        guard start == UInt8(ascii: "{"), let object = try json(payload).object else {
            let form = reference.requiresParameters ? "a JSON object" : "empty or a JSON object"
            throw RequestError(.badRequest, "the payload must be \(form), such as \(reference.sample)")
        }
        return object
    }

    /// - Throws: `RequestError` with `bad_request` if the payload is not JSON.
    package static func json(_ payload: [UInt8]) throws(RequestError) -> JSON {
        do throws(JSONError) {
            return try JSON(parsing: payload, limit: longestPayload)
        } catch {
            throw RequestError(.badRequest, "the payload is \(error)")
        }
    }

    /// Returns the maximum time that a request may wait: the parameter `ttl`, limited by the expiry of the message
    /// (MQTT 5, 3.3.2.3.3).
    package static func timeToLive(of message: Message, _ parameters: JSON.Object) throws(RequestError) -> Duration {
        let wanted = try duration("ttl", in: parameters) ?? standardTimeToLive
        return min(wanted, message.expiry ?? wanted, longestTimeToLive)
    }

    /// The parameters of every request.
    private static let commonParameters = ["transaction", "ttl"]

    /// Rejects a request with a member that the verb does not have; the advice is the most similar parameter.
    package static func checkNames(in parameters: JSON.Object, of verb: VerbReference) throws(RequestError) {
        let known = verb.parameters.map(\.name)
        let isKnown = { (name: String) in known.contains(name) || commonParameters.contains(name) }
        guard let name = parameters.names.first(where: { !isKnown($0) && !$0.hasPrefix("x-") }) else { return }
        let missing = (known + commonParameters).filter { parameters[$0] == nil }
        let advice: String
        if let meant = name.nearest(in: missing) {
            advice = "did you mean \(meant)?"
        } else if known.isEmpty {
            advice = "the request has no parameters: remove it"
        } else {
            advice = "expected \(known.joined(separator: ", ")), such as \(verb.sample)"
        }
        throw RequestError(.badRequest, "\(name.shortened): unknown parameter: \(advice)")
    }

    /// Returns a required text parameter; the error message shows `example`.
    package static func text(_ name: String, in parameters: JSON.Object, example: String) throws(RequestError) -> String
    {
        guard let value = parameters[name] else {
            throw RequestError(.badRequest, "\(name): missing: add it, such as {\"\(name)\":\(JSON.string(example))}")
        }
        guard let text = value.string, !text.isEmpty else { throw RequestError(name, "a text", example, found: value) }
        return text
    }

    /// Returns an optional duration parameter, such as `"pause": "10m"`, or `"pause": 600` in seconds.
    package static func duration(_ name: String, in parameters: JSON.Object) throws(RequestError) -> Duration? {
        guard let value = parameters[name], !value.isNull else { return nil }
        guard let text = value.string ?? value.number?.int.map({ "\($0)s" }) else {
            throw RequestError(
                .badRequest,
                "\(name): expected a duration such as \"30s\", or a whole number of seconds, found "
                    + value.description.quotedForMessage)
        }
        do throws(InvalidValue) {
            return try Duration(text: text)
        } catch {
            throw RequestError(.badRequest, "\(name): \(error.message)")
        }
    }
}

/// A request that cannot be parsed.
package struct RejectedRequest: Error {
    package let error: RequestError
    /// The transaction of the request, if it could be parsed.
    package let transaction: Transaction?
}
