internal import Bluetooth
internal import Codec
internal import Configuration

/// What entities are made of: one topic, and what its readings say.
struct EntitySource: Equatable, Sendable {
    let name: String
    /// What never changes, however things are called: UUIDs, or that a quantity of this name is advertised.
    let place: [String]
    let topic: String
    /// What the readings say; nil where nobody has said.
    let quantities: [Quantity]?
    /// Whether a reading is one value, and not fields under their names.
    let hasOneValue: Bool
    /// Whether the user has laid down what the bytes mean.
    let isOwnFormat: Bool
    let canBeWritten: Bool
    /// Whether readings come without a command.
    let isObserved: Bool
    let isRetained: Bool
    let payload: Configuration.PublishRules.Payload
    /// What the configuration says of the one value, in place of what is usual.
    let unit: String?
    let deviceClass: String?

    /// The one quantity of the readings; nil when there are several, or nobody knows.
    var onlyQuantity: Quantity? { hasOneValue ? quantities?.first : nil }
}

extension EntitySource {
    /// - Parameters:
    ///   - ownFormat: what the device itself says of the bytes, of which nobody else has said anything.
    ///   - isAwaited: whether a collecting session waits for it.
    init(
        _ characteristic: Configuration.Characteristic, ownFormat: Format? = nil, topic: String, isAwaited: Bool
    ) {
        let format = characteristic.meaning ?? ownFormat
        name = characteristic.name
        let instance = characteristic.instance > 1 ? "-\(characteristic.instance)" : ""
        place = [characteristic.service?.description, characteristic.uuid.description + instance]
            .compactMap { $0?.lowercased() }
        self.topic = topic
        quantities = format?.quantities
        hasOneValue = format?.hasOneValue ?? false
        isOwnFormat = characteristic.format != nil
        canBeWritten = characteristic.write != nil
        isObserved = characteristic.subscribe || characteristic.read != nil || isAwaited
        isRetained = characteristic.retain
        payload = characteristic.publish.payload
        unit = characteristic.unit
        deviceClass = characteristic.deviceClass
    }

    /// - Parameter meaning: what the quantity is; nil where the format does not say.
    init(
        _ advertised: AdvertisedQuantity, _ meaning: Quantity?, topic: String,
        payload: Configuration.PublishRules.Payload
    ) {
        name = advertised.name
        place = ["advertised", Configuration.HomeAssistant.identifier(for: advertised.name)]
        self.topic = topic
        quantities = meaning.map { [$0] }
        hasOneValue = true
        isOwnFormat = advertised.format == AdvertisementFormat.own
        canBeWritten = false
        isObserved = true
        isRetained = !advertised.isEvent
        self.payload = payload
        unit = nil
        deviceClass = nil
    }
}
