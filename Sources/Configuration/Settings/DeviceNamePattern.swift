package import Bluetooth
import Codec

/// The pattern by which a fleet rule names devices: a text with `{address}` or `{name}`.
package struct DeviceNamePattern: Sendable, Hashable {
    package enum Placeholder: String, Sendable, CaseIterable {
        case address, name
    }

    enum Part: Sendable, Hashable {
        case text(String)
        case placeholder(Placeholder)
    }

    let parts: [Part]

    package init(_ pattern: String) throws(InvalidValue) {
        var parts: [Part] = []
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { throw "'{' has no matching '}'" }
            let name = String(rest[open..<close].dropFirst())
            guard let placeholder = Placeholder(rawValue: name) else {
                let meant = ["mac": "address", "id": "address", "local_name": "name"][name.lowercased()]
                let advice = meant.map { "did you mean {\($0)}?" } ?? "expected {address}, {name} or {gateway}"
                throw "unknown placeholder \(name.quotedForMessage): \(advice)"
            }
            parts += [.text(String(rest[..<open])), .placeholder(placeholder)]
            rest = rest[close...].dropFirst()
        }
        guard !parts.isEmpty else {
            throw "the pattern gives every device the same name: add {address} or {name}"
        }
        self.parts = parts + [.text(String(rest))]
    }

    /// Returns the name of a device.
    ///
    /// For a device without an advertised name, `{name}` is replaced by the address.
    ///
    /// The advertised name is not trusted: characters that are invalid in topics become `_`.
    package func name(for address: Address, localName: String?) -> String {
        parts.map { part in
            switch part {
            case .text(let text): return text
            case .placeholder(.address): return address.description
            case .placeholder(.name):
                let name = TopicName.cleaned(localName ?? "")
                return name.isEmpty ? address.description : name
            }
        }.joined()
    }
}
