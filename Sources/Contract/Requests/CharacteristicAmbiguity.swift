package import Bluetooth

/// A characteristic that a device has several times, and the key of the configuration that decides among them.
package struct CharacteristicAmbiguity {
    /// The places in words: `in the services 181A and 1809`, or `3 times in the service 1815`.
    package let places: String
    /// The missing key: `service`, or `instance` in one service.
    package let key: String
    /// The value of the key for the first of them.
    package let first: String

    /// - Parameter services: The services of the characteristics, in the order of the device; at least two.
    package init(_ services: [UUID]) {
        let first = services[0].description
        if services.allSatisfy({ $0 == services[0] }) {
            places = "\(services.count) times in the service \(first)"
            (key, self.first) = ("instance", "1")
        } else {
            places = "in the services \(services.map(\.description).joined(separator: " and "))"
            (key, self.first) = ("service", first)
        }
    }
}
