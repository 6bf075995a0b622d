internal import Bluetooth
internal import DBus

extension Advertisement {
    /// What properties of `Device1` say of a packet; nil where they do not come from one.
    init?(_ properties: [String: Variant]) {
        let company = properties["ManufacturerData"]?.entries
        let service = properties["ServiceData"]?.dictionary
        let strength = properties["RSSI"]?.integer.flatMap(Int16.init(exactly:)).map(Int.init)
        guard strength != nil || company != nil || service != nil else { return nil }
        self.init()
        rssi = strength
        localName = properties["Name"]?.text
        txPowerLevel = properties["TxPower"]?.integer.flatMap(Int8.init(exactly:))
        serviceUUIDs = properties["UUIDs"]?.texts?.compactMap { UUID($0) } ?? []
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
