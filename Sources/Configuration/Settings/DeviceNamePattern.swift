package import Bluetooth
import Codec

/// How a fleet rule names devices: text with `{address}` and `{name}` in it.
package struct DeviceNamePattern: Sendable, Hashable {
    package enum Placeholder: String, Sendable, CaseIterable {
        case address, name
    }

    enum Part: Sendable, Hashable {
        case text(String)
        case placeholder(Placeholder)
    }

    let parts: [Part]

    package init(_ pattern: String) throws(Complaint) {
        var parts: [Part] = []
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { throw "a '{' without its '}'" }
            let name = String(rest[open..<close].dropFirst())
            guard let placeholder = Placeholder(rawValue: name) else {
                throw "unknown placeholder \(name.quotedForMessage): expected {address} or {name}"
            }
            parts += [.text(String(rest[..<open])), .placeholder(placeholder)]
            rest = rest[close...].dropFirst()
        }
        guard !parts.isEmpty else {
            throw "the pattern gives every device the same name: add {address} or {name}"
        }
        self.parts = parts + [.text(String(rest))]
    }

    /// The device's name; a device that tells no name of its own goes by its address.
    ///
    /// What a device calls itself comes from the air: characters that no topic may hold become `_`.
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
