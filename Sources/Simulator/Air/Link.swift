/// The gateway's end of a connection to a peripheral.
protocol Link: AnyObject {
    /// The adapter in the fleet.
    var adapterModel: SimulatedFleet.Adapter { get }
    /// Called when the peripheral has sent a notification or an indication.
    func notified(_ value: [UInt8], of characteristic: PeripheralCharacteristic)
    /// Called when the peripheral has ended the connection.
    func lost()
    /// Called when the peripheral has sent Service Changed.
    func attributesChanged()
    /// Whether a request waits for the peripheral's response.
    var isBusy: Bool { get }
    /// Whether a client receives the characteristic's values through a file descriptor (AcquireNotify).
    func isAcquired(_ characteristic: PeripheralCharacteristic) -> Bool
}
