import Bluetooth
import DBus

extension Advertisement {
    /// Creates an advertisement from properties of a device; nil if the properties do not come from an advertisement.
    init?(_ properties: DeviceProperties) {
        let company = properties.manufacturerData
        let service = properties.serviceData
        guard properties.areOfAdvertisement else { return nil }
        self.init()
        rssi = properties.rssi
        localName = properties.name
        txPowerLevel = properties.txPowerLevel
        serviceUUIDs = properties.services ?? []
        for entry in company ?? [] {
            if let key = entry.key.integer.flatMap(UInt16.init(exactly:)), let data = entry.value.bytes {
                manufacturerData[key] = data
                lastCompany = key
            }
        }
        for (key, value) in service ?? [:] {
            if let key = UUID(key), let data = value.bytes { serviceData[key] = data }
        }
    }
}
