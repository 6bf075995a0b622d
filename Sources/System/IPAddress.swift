import Glibc

/// An address of the Internet Protocol, version 4 or 6.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes, in network byte order.
    package let bytes: [UInt8]

    /// Creates an address from its bytes; an IPv4 address in IPv6 (`::ffff:192.0.2.1`) becomes an IPv4 address.
    ///
    /// - Parameter bytes: 4 or 16 bytes, in network byte order.
    package init?(bytes: some Collection<UInt8>) {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        switch bytes.count {
        case 4: self.bytes = Array(bytes)
        case 16: self.bytes = bytes.starts(with: mapped) ? Array(bytes.dropFirst(12)) : Array(bytes)
        default: return nil
        }
    }

    /// Creates an address from its text, without brackets: `192.0.2.1` or `2001:db8::1`; nil for any other text.
    package init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(bytes: bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    package var isIPv6: Bool { bytes.count == 16 }

    /// Whether only this machine reaches the address.
    package var isLoopback: Bool {
        isIPv6 ? bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 } : bytes[0] == 127
    }

    /// Whether the address is of IPv6 and belongs to one network, so that a connection to it needs an interface.
    ///
    /// Source: RFC 4291, 2.5.6, and RFC 4007, 6.
    package var isLinkLocal: Bool { isIPv6 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
