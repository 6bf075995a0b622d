import Bluetooth
import Configuration

extension Configuration.FleetRule.Match {
    /// The properties in one line: `services FF00, name JBD-*`.
    var text: String {
        var parts: [String] = []
        if !services.isEmpty { parts.append("services \(services.map(\.description).joined(separator: " "))") }
        if let name { parts.append("name \(name.pattern)") }
        if let manufacturer {
            let digits = String(manufacturer, radix: 16, uppercase: true)
            parts.append("company 0x\(String(repeating: "0", count: 4 - digits.count))\(digits)")
        }
        if let address { parts.append("address \(address.pattern)") }
        return parts.joined(separator: ", ")
    }
}
