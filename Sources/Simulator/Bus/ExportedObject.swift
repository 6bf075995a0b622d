import DBus

/// An object on the bus.
protocol ExportedObject: AnyObject {
    var path: String { get }
    /// The object's current interfaces, without the standard interfaces that every object has.
    var interfaces: [any ExportedInterface] { get }
}

extension ExportedObject {
    /// All interfaces with their properties, in the order in which bluetoothd lists them.
    var managedInterfaces: [Variant.Entry] {
        var entries = [Variant.Entry(.string(Introspectable.name), Self.properties([]))]
        for interface in interfaces {
            let hadProperties = entries.contains { $0.key.text == PropertiesInterface.name }
            entries.append(Variant.Entry(.string(interface.name), Self.properties(interface.properties)))
            if interface.hasProperties && !hadProperties {
                entries.append(Variant.Entry(.string(PropertiesInterface.name), Self.properties([])))
            }
        }
        return entries
    }

    static func properties(_ entries: [Variant.Entry]) -> Variant {
        .dictionary(entries, key: "s", value: "v")
    }
}
