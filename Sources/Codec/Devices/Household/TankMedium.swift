/// The medium whose level an ultrasonic tank sensor measures.
///
/// Water includes waste water. The sensor at the top of a tank measures through air.
package enum TankMedium: String, Sendable, CaseIterable {
    case propane, air, water, gasoline, diesel, lng, oil

    /// The formula for the millimetres per unit of the echo; `warmth` is the temperature in °C plus 40.
    ///
    /// Source: Bluetooth-Devices/mopeka-iot-ble, `MOPEKA_TANK_LEVEL_COEFFICIENTS`.
    var millimetres: String {
        switch self {
        case .propane: "0.573045 - 0.002822 * warmth - 0.00000535 * warmth * warmth"
        case .air: "0.153096 + 0.000327 * warmth - 0.000000294 * warmth * warmth"
        case .water: "0.600592 + 0.003124 * warmth - 0.00001368 * warmth * warmth"
        case .gasoline, .diesel, .lng, .oil:
            "0.7373417462 - 0.001978229885 * warmth + 0.00000202162 * warmth * warmth"
        }
    }
}
