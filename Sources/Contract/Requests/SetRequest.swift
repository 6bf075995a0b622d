package import Codec
package import JSON
package import MQTT

/// The payload of a request on `NAME/set`: the value to write.
package struct SetRequest: Sendable {
    package let value: JSON
    package let transaction: Transaction?
    /// The maximum time that the request may wait for the device.
    package let timeToLive: Duration

    /// Parses the payload, which is the value; a JSON object may also contain `transaction` and `ttl`.
    ///
    /// - Parameters:
    ///   - message: the message on `NAME/set`.
    ///   - object: the characteristic as `DEVICE/NAME`, for messages.
    ///   - format: the format of the value; nil if it is not known. A field with the name `transaction` or `ttl` is part
    ///     of the value.
    /// - Throws: `RejectedRequest` with `bad_request`.
    package init(
        _ message: Message, on object: String, of format: Format?
    ) throws(RejectedRequest) {
        var transaction: Transaction?
        do throws(RequestError) {
            let payload = try Self.value(message.payload, on: object, of: format)
            var parameters = JSON.Object()
            if var object = payload.object {
                let fields = format?.quantities.map(\.name) ?? []
                for name in ["transaction", "ttl"] where !fields.contains(name) {
                    parameters[name] = object[name]
                    object[name] = nil
                }
                value = .object(object)
            } else {
                value = payload
            }
            transaction = try Transaction(parameters["transaction"])
            timeToLive = try Request.timeToLive(of: message, parameters)
        } catch {
            throw RejectedRequest(error: error, transaction: transaction)
        }
        self.transaction = transaction
    }

    /// Parses a value: JSON, or a text without quotation marks if the format is a single text or name.
    private static func value(
        _ payload: [UInt8], on object: String, of format: Format?
    ) throws(RequestError) -> JSON {
        do throws(JSONError) {
            let json = try JSON(parsing: payload, limit: Request.longestPayload)
            guard format?.isText == true, json.number != nil || json.bool != nil else { return json }
            return .string(String(decoding: payload, as: UTF8.self))
        } catch {
            guard let text = plainText(payload) else {
                throw RequestError(.badRequest, "\(object): the payload is \(error)")
            }
            if let format, !text.isEmpty, format.takesPlainText(text.trimmed) {
                return .string(format.isText ? text : text.trimmed)
            }
            let example = format?.example.map { JSON($0).description } ?? #"{"hex":"0a01"}"#
            let found = text.isEmpty ? "an empty payload" : text.quotedForMessage
            throw RequestError(.badRequest, "\(object): expected JSON such as \(example), found \(found)")
        }
    }

    /// Returns a payload that was not meant to be JSON; nil for JSON with a mistake, and for bytes that are not text.
    private static func plainText(_ payload: [UInt8]) -> String? {
        guard payload.count <= Request.longestPayload, let text = String(validating: payload, as: UTF8.self) else {
            return nil
        }
        guard let first = text.trimmed.first else { return "" }
        return ["{", "[", "\""].contains(first) ? nil : text
    }
}

extension String {
    /// The text without the white space at its beginning and its end.
    fileprivate var trimmed: String {
        var text = self[...].drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
