import Codec
package import System

extension ListenAddress {
    /// Parses an address: `127.0.0.1:2583`, `[::1]:2583` or `unix:/PATH`.
    ///
    /// - Throws: `InvalidValue` for any other text.
    package init(text: String) throws(InvalidValue) {
        if let (_, path) = text.cut(at: "unix:") {
            guard text.hasPrefix("unix:/"), path.utf8.count <= BrokerEndpoint.longestSocketPath else {
                throw "expected the absolute path of a socket, of up to 107 bytes, e.g. unix:/run/bluefleet/page.sock"
            }
            self = .socket(path: String(path))
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(digits: text[colon...].dropFirst()) else {
            let advice = UInt16(digits: text[...]).map { ": write 127.0.0.1:\($0)" } ?? ""
            throw "expected an address with a port, e.g. 127.0.0.1:2583, found \(text.quotedForMessage)\(advice)"
        }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard let address = IPAddress(String(isBracketed ? host.dropFirst().dropLast() : host)),
            address.isIPv6 == isBracketed
        else {
            let example = "127.0.0.1, 0.0.0.0 or [::1]"
            throw "expected an address such as \(example) before the port, found \(String(host).quotedForMessage)"
        }
        self = .tcp(address, port: port)
    }
}
