package import JSON
package import System

/// The payload of `PREFIX/bridge/GATEWAY/info` as another program reads it; see `ListedDevice`.
package struct DescribedGateway: Equatable, Sendable {
    package let version: String?
    /// The start of the gateway.
    package let started: Timestamp?
    /// The state of Bluetooth.
    package let bluetooth: String?

    package init(_ json: JSON) {
        version = json["version"]?.string
        started = json.time("started")
        bluetooth = json["bluetooth"]?.string
    }
}
