import CMicroHTTPD
import System

/// The request that a connection receives: its head, and its body so far.
///
/// Confined to the thread of the connection.
final class Reception {
    /// The response to a request that is rejected because of its head; nil if the body can follow.
    let refusal: HTTPResponse?
    private let head: HTTPRequest
    private let longestBody: Int
    private var body: [UInt8] = []
    private var isTooLong = false

    /// - Parameters:
    ///   - connection: The connection, whose header fields have been received.
    ///   - url: The target without its query.
    ///   - method: The method.
    ///   - longestBody: The maximum length of the body in bytes.
    init(_ connection: OpaquePointer?, url: String, method: String, longestBody: Int) {
        self.longestBody = longestBody
        let fields = Fields(of: connection)
        head = HTTPRequest(
            method, url, query: fields.query, headers: fields.headers,
            client: ListenSocket.client(bluefleet_http_address(connection)))
        refusal = fields.isValid ? Self.refusal(of: head, longestBody) : Self.badRequest("the query is not valid")
    }

    /// Adds a part of the body; the rest of a body that is too long is ignored.
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard !isTooLong, body.count + bytes.count <= longestBody else {
            isTooLong = true
            body = []
            return
        }
        body += bytes
    }

    /// The complete request; nil if its body is too long.
    var request: HTTPRequest? { isTooLong ? nil : head.with(body: body) }

    /// The response to a body that is too long.
    static let tooLong = HTTPResponse(413, text: "the body is too long")

    /// The header fields that may occur once: of several ones, two programs could use different ones.
    private static let singleFields = [
        "host", "content-length", "transfer-encoding", "content-type", "authorization", "origin", "sec-fetch-site",
    ]

    /// Rejects a request that different programs may read in different ways (RFC 9112, 6.1, 6.3 and 11.2).
    private static func refusal(of head: HTTPRequest, _ longestBody: Int) -> HTTPResponse? {
        if let name = singleFields.first(where: { head.count(ofHeader: $0) > 1 }) {
            return badRequest("more than one field \(name)")
        }
        guard head.path.hasPrefix("/") else { return badRequest("the target is not a path") }
        let length = head.header("content-length")
        if let coding = head.header("transfer-encoding") {
            guard length == nil else { return badRequest("Transfer-Encoding beside Content-Length") }
            // libmicrohttpd reads a body with any other coding up to the end of the connection.
            guard coding.lowercased() == "chunked" else { return HTTPResponse(501, text: "unknown Transfer-Encoding") }
        }
        // A length with digits only, which libmicrohttpd has checked, can be above that of an Int.
        if let length, Int(length).map({ $0 > longestBody }) ?? true { return tooLong }
        return nil
    }

    private static func badRequest(_ reason: String) -> HTTPResponse {
        HTTPResponse(400, text: reason)
    }
}

/// The header fields and the parameters of a request.
private final class Fields {
    private(set) var headers: [HTTPField] = []
    private(set) var query: [HTTPField] = []
    /// Whether all names and values are texts.
    private(set) var isValid = true

    init(of connection: OpaquePointer?) {
        bluefleet_http_each_field(
            connection,
            { fields, kind, name, nameSize, value, valueSize in
                guard let fields else { return bluefleet_http_no }
                Unmanaged<Fields>.fromOpaque(fields).takeUnretainedValue().add(
                    UnsafeRawBufferPointer(start: name, count: nameSize),
                    UnsafeRawBufferPointer(start: value, count: valueSize),
                    isHeader: bluefleet_http_is_header(kind) != 0)
                return bluefleet_http_yes
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, isHeader: Bool) {
        if isHeader {
            let name = String(decoding: name, as: UTF8.self).lowercased()
            headers.append(HTTPField(name, String(decoding: value, as: UTF8.self)))
        } else if let name = PercentEncoding.decoded(name), let value = PercentEncoding.decoded(value) {
            query.append(HTTPField(name, value))
        } else {
            isValid = false
        }
    }
}
