import Bluetooth

extension SimulatedFleet.Advertising {
    /// Returns one advertising packet of a peripheral.
    ///
    /// - Parameters:
    ///   - number: The number of packets that the peripheral has sent before. If the fleet file lists several values,
    ///     `number` selects the value.
    ///   - peripheral: The peripheral that sends the packet.
    /// - Returns: The packet.
    func packet(number: Int, of peripheral: SimulatedFleet.Peripheral) -> Packet {
        var advertisement = Advertisement()
        advertisement.localName = peripheral.localName
        advertisement.serviceUUIDs = services
        advertisement.txPowerLevel = txPower.map { Int8(clamping: $0) }
        for (service, series) in serviceData { advertisement.serviceData[service] = series[number % series.count] }
        for (company, series) in manufacturerData {
            advertisement.manufacturerData[company] = series[number % series.count]
        }
        return Packet(
            advertisement: advertisement, appearance: peripheral.appearance, isDiscoverable: isDiscoverable, rssi: rssi)
    }
}
