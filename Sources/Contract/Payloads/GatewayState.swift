package import JSON

/// The payload of `PREFIX/bridge/GATEWAY/state`.
///
/// Each payload is a value with a property `json`; payloads that other programs read can also be made from JSON.
///
/// | type | which question it answers |
/// |---|---|
/// | `GatewayState` | Does the gateway run? |
/// | `FleetConnection` | Which process and which connection does a state belong to? |
/// | `FleetHealth`, `FleetOverview` | Which gateway decides? Which gateway owns each shared device? |
/// | `GatewayInfo`, `BluetoothState` | Which version runs, since when, with which adapters? Can Bluetooth be used? |
/// | `GatewayHealth`, `DeviceHealth`, `SpoolStatus`, `AdvertiserStatus`, `AdvertisementCounters` | How well do the gateway and its devices work? |
/// | `BrokerStatus` | Which topics does the broker not accept? Which of its limits have an effect? |
/// | `AdapterUse`, `AdapterReport` | How many connections does each adapter have? |
/// | `DeviceList` | Which devices does the gateway manage, and why? |
/// | `ListedDevice`, `DescribedDevice`, `DescribedGateway` | What do other programs read of `devices` and of both topics `info`? |
/// | `LatePayload` | Which value or event waited while the broker was away? |
/// | `LogEntry` | What does one line of the log say? |
/// | `Availability` | Can the device be used? |
/// | `Remedy` | Which step helps a device that is not online? |
/// | `ConnectionStatus` | What is the state of the connection of the device? |
/// | `DeviceInfo`, `DeviceIdentity` | What does the device offer? What does it report about itself? |
/// | `ReceivedReading` | Which payload does a reading have? This type is on the path of each notification. |
/// | `ReadingMarks` | Was a reading corrected, derived or averaged? |
/// | `ReadingPayload` | What does another program read from the payload of a reading? |
/// | `ClockStep` | Which time would a payload have if the clock had been right? |
/// | `FleetLimits` | How large may the payloads between gateways be? |
/// | `Base64` | Which bytes does a base64 text contain, and what is the text of bytes? |
/// | `Example` | Which values do the examples of the documentation have? |
package enum GatewayState: String, CaseIterable, Sendable {
    case online, offline

    /// Returns the payload of a gateway that shares devices; nil: it shares none.
    package func json(of connection: FleetConnection?) -> JSON {
        var members: JSON.Object = ["state": .string(rawValue)]
        members.add("start", connection?.start)
        members.add("connection", connection?.number)
        return .object(members)
    }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard let state = json["state"]?.string else { return nil }
        self.init(rawValue: state)
    }
}
