/// The gateway's end of a connection to a peripheral.
protocol Link: AnyObject {
    /// The peripheral has sent a notification or an indication.
    func notified(_ value: [UInt8], of characteristic: PeripheralCharacteristic)
    /// The peripheral has ended the connection, or is out of range.
    func lost()
    /// The peripheral has sent Service Changed.
    func attributesChanged()
    /// Whether a request waits for its response.
    var isBusy: Bool { get }
    /// Whether a client receives the characteristic's values through a file descriptor (AcquireNotify).
    func isAcquired(_ characteristic: PeripheralCharacteristic) -> Bool
}
