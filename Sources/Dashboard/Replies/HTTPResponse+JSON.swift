package import HTTP
import JSON

extension HTTPResponse {
    /// Creates a response with JSON text.
    package init(_ status: Int, json: [UInt8]) {
        self.init(
            status, [HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-store")],
            body: .bytes(json))
    }

    /// Creates a response that rejects a request, with a body like the response to a failed request over MQTT.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - code: The code of the error, such as `not_allowed`.
    ///   - message: What failed, on which object, and what to do.
    package init(_ status: Int, code: String, _ message: String) {
        let error: JSON = ["code": .string(code), "message": .string(message)]
        let body: JSON = ["status": "error", "error": error]
        var text: [UInt8] = []
        body.append(to: &text)
        self.init(status, json: text)
    }
}
