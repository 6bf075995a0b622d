/// The gateway's end of a connection to a peripheral.
protocol Link: AnyObject {
    /// A value has come without having been asked for.
    func notified(_ value: [UInt8], of characteristic: PeripheralCharacteristic)
    /// The peripheral has ended the connection, or has got out of range.
    func lost()
    /// The peripheral has other attributes now.
    func attributesChanged()
    /// Whether a request is on the air.
    var isBusy: Bool { get }
    /// Whether a characteristic's values go through a descriptor.
    func isAcquired(_ characteristic: PeripheralCharacteristic) -> Bool
}
