/// What a quantity is to Home Assistant (the `device_class` and `state_class` of its MQTT sensors).
package struct HomeAssistantClass: Hashable, Sendable {
    package let deviceClass: String?
    package let stateClass: String?
    /// The unit that the class wants where it does not allow the SIG's, and by what to multiply to come to it.
    package let conversion: Conversion?

    package struct Conversion: Hashable, Sendable {
        package let unit: String
        package let factor: Decimal
    }

    package init(_ deviceClass: String?, _ stateClass: String? = "measurement") {
        self.init(deviceClass, stateClass, conversion: nil)
    }

    /// A class that wants another unit than the SIG's.
    package init(_ deviceClass: String?, _ stateClass: String? = "measurement", unit: String, factor: Decimal) {
        self.init(deviceClass, stateClass, conversion: Conversion(unit: unit, factor: factor))
    }

    private init(_ deviceClass: String?, _ stateClass: String?, conversion: Conversion?) {
        self.deviceClass = deviceClass
        self.stateClass = stateClass
        self.conversion = conversion
    }
}
