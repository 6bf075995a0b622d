package import System

/// A complete request.
package struct HTTPRequest: Sendable {
    /// The method in upper case.
    package let method: String
    /// The path as it was sent, such as `/api/summary`; percent-encoded characters are not decoded.
    package let path: String
    /// The decoded parameters of the query, in order.
    package let query: [HTTPField]
    /// The header fields, in order.
    package let headers: [HTTPField]
    package private(set) var body: [UInt8] = []
    /// The address of the client; nil for a client of a Unix socket.
    package let client: IPAddress?

    package init(
        _ method: String, _ path: String, query: [HTTPField] = [], headers: [HTTPField] = [], body: [UInt8] = [],
        client: IPAddress? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.client = client
    }

    /// Returns the request with a body.
    func with(body: [UInt8]) -> HTTPRequest {
        var request = self
        request.body = body
        return request
    }

    /// Returns the value of a header field, whose name is given in lower case; nil if it is missing.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// Returns the value of a parameter of the query; nil if it is missing.
    package func parameter(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// Returns how often a header field occurs.
    func count(ofHeader name: String) -> Int {
        headers.count { $0.name == name }
    }
}
