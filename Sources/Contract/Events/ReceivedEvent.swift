package import JSON

/// An event as another program reads it.
package struct ReceivedEvent: Sendable {
    /// The value of `type`; a gateway of a later version may have types that are not in `GatewayEvent.Kind`.
    package let type: String
    /// The name of the device; nil: the event concerns no device.
    package let device: String?
    /// The adapter that the gateway repairs, and the name of the step; nil: the event is no repair.
    package let repair: (adapter: String, step: String)?

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard let type = json["type"]?.string else { return nil }
        self.type = type
        device = json["device"]?.string
        if type == GatewayEvent.Kind.repair.rawValue, let adapter = json["adapter"]?.string,
            let step = json["repair"]?.string
        {
            repair = (adapter, step)
        } else {
            repair = nil
        }
    }
}
