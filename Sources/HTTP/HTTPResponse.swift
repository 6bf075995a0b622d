/// A response: a status, header fields and a body.
package struct HTTPResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        case stream(EventStream)
    }

    package let status: Int
    package private(set) var headers: [HTTPField]
    package let body: Body

    package init(_ status: Int, _ headers: [HTTPField] = [], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response with a line of text.
    package init(_ status: Int, text: String) {
        self.init(
            status, [HTTPField("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array("\(text)\n".utf8)))
    }

    /// Returns the response with further header fields.
    package func adding(_ fields: [HTTPField]) -> HTTPResponse {
        var response = self
        response.headers += fields
        return response
    }
}
