import CCurl

/// Sends requests over HTTP or HTTPS, one at a time, and keeps the connection to the server open.
///
/// Each call blocks its thread. libcurl is loaded with the first connection.
final class HTTPConnection {
    /// The longest response in bytes.
    private static let longestResponse = 2 << 20

    nonisolated(unsafe) private static let loaded: bluefleet_curl? = {
        var library = bluefleet_curl()
        return bluefleet_curl_load(&library) ? library : nil
    }()

    /// Loads libcurl.
    ///
    /// - Throws: `SeatError` if it is not installed.
    static func loadLibrary() throws(SeatError) { _ = try load() }

    private static func load() throws(SeatError) -> bluefleet_curl {
        guard let loaded else {
            throw SeatError("share.seat needs libcurl, which is not installed: sudo apt install libcurl4")
        }
        return loaded
    }

    private var library: bluefleet_curl
    private let handle: UnsafeMutableRawPointer
    /// The file of the certificate authorities; nil: those of the system.
    private let authorities: String?

    /// - Throws: `SeatError` if libcurl is not installed.
    init(authorities: String?) throws(SeatError) {
        library = try Self.load()
        self.authorities = authorities
        guard let handle = bluefleet_curl_open(&library) else { throw SeatError("libcurl has no memory left") }
        self.handle = handle
    }

    deinit {
        bluefleet_curl_close(&library, handle)
    }

    /// The response to a request, as far as it has arrived.
    private final class Response {
        private(set) var bytes: [UInt8] = []
        /// Whether the response is too long.
        private(set) var isTooLong = false

        /// Adds a part; returns false if the response becomes too long.
        func add(_ part: UnsafeRawBufferPointer) -> Bool {
            isTooLong = bytes.count + part.count > longestResponse
            if !isTooLong { bytes += part }
            return !isTooLong
        }
    }

    /// Sends a POST request with a JSON text.
    ///
    /// - Parameters:
    ///   - body: The JSON text.
    ///   - url: The URL.
    ///   - token: The value of the field Authorization; nil: none.
    ///   - milliseconds: The time limit for connection and response.
    /// - Returns: The status and the body of the response.
    /// - Throws: `SeatError` if there is no response in time, or if it is longer than 2 MiB.
    func post(
        _ body: String, to url: String, token: String?, within milliseconds: Int
    ) throws(SeatError) -> (status: Int, body: [UInt8]) {
        let response = Response()
        var status = 0
        let size = body.utf8.count
        let failure = url.withCString { url in
            body.withCString { body in
                Self.withCString(token) { token in
                    Self.withCString(authorities) { authorities in
                        send(
                            bluefleet_curl_request(
                                url: url, body: body, size: size, authorization: token, authorities: authorities,
                                milliseconds: milliseconds), response, &status)
                    }
                }
            }
        }
        if response.isTooLong {
            throw SeatError("\(url): the response has more than \(Self.longestResponse) bytes", isOfNode: true)
        }
        if let failure { throw SeatError("\(url): \(failure)", isOfNode: true) }
        return (status, response.bytes)
    }

    /// Sends a request; returns why there is no response, or nil.
    private func send(_ request: bluefleet_curl_request, _ response: Response, _ status: inout Int) -> String? {
        var request = request
        let reason = bluefleet_curl_post(
            &library, handle, &request,
            { bytes, size, count, owner in
                guard let owner else { return 0 }
                let response = Unmanaged<Response>.fromOpaque(owner).takeUnretainedValue()
                let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return response.add(part) ? part.count : 0
            }, Unmanaged.passUnretained(response).toOpaque(), &status)
        return reason.map { String(cString: $0) }
    }

    /// Calls `body` with the text as a C string; nil without a text.
    private static func withCString<Result>(
        _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }
}
