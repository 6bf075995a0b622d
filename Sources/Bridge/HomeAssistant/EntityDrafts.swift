internal import Codec
internal import Configuration
internal import JSON

/// The entities that one characteristic makes.
struct EntityDrafts {
    let characteristic: Configuration.Characteristic
    let format: Format?
    /// Where its readings are.
    let topic: String
    /// Whether readings come without a command.
    private let isObserved: Bool

    /// - Parameter isAwaited: whether a collecting session waits for it.
    init(_ characteristic: Configuration.Characteristic, topic: String, isAwaited: Bool) {
        self.characteristic = characteristic
        self.topic = topic
        format = characteristic.meaning
        isObserved = characteristic.subscribe || characteristic.read != nil || isAwaited
    }

    var all: [EntityDraft] {
        guard characteristic.write != nil else { return sensors }
        let control = control
        // A control shows the state that it sets, where there is one to show.
        let showsState = control.members["state_topic"] != nil
        return isObserved && !showsState ? sensors + [control] : [control]
    }

    /// The one quantity of the readings; nil when there are several, or nobody knows.
    var onlyQuantity: Quantity? {
        guard let format, format.hasOneValue else { return nil }
        return format.quantities.first
    }

    func subject(_ field: String? = nil) -> EntitySubject {
        EntitySubject(characteristic: characteristic, field: field)
    }

    func template(_ quantity: Quantity?) -> ValueTemplate {
        ValueTemplate(
            field: onlyQuantity == nil ? quantity?.name : nil, kind: quantity?.kind,
            payload: characteristic.publish.payload)
    }

    /// Where the state is, for a control of something that is observed.
    func state(_ template: String) -> JSON.Object {
        isObserved ? ["state_topic": .string(topic), "value_template": .string(template)] : [:]
    }
}
