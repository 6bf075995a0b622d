/// The work of the radio of an adapter since the adapter appeared.
package struct RadioUse: Hashable, Sendable {
    /// The number of advertisements of all devices that bluetoothd has reported.
    ///
    /// bluetoothd reports an advertisement with new content, and for an observer of each packet every one. Its other
    /// signals about a device, such as a new connection, count too: the signals of devices that are not in use are not
    /// decoded.
    package let advertisements: Int
    /// How long the adapter has scanned for this process.
    package let scanning: Duration
    /// How long the adapter has tried to connect.
    package let connecting: Duration
}
