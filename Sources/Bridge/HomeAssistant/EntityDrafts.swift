import Codec
import Configuration
import JSON

/// The entities for the readings of one topic.
struct EntityDrafts {
    let source: EntitySource

    init(_ source: EntitySource) {
        self.source = source
    }

    var all: [EntityDraft] {
        guard source.canBeWritten else { return sensors }
        let control = control
        // A control also shows the state that it sets, if the state is known.
        let showsState = control.members["state_topic"] != nil
        return source.isObserved && !showsState ? sensors + [control] : [control]
    }

    func subject(_ field: String? = nil) -> EntitySubject {
        EntitySubject(source: source, field: field)
    }

    func template(_ quantity: Quantity?) -> ValueTemplate {
        ValueTemplate(
            field: source.onlyQuantity == nil ? quantity?.name : nil, form: quantity?.form, payload: source.payload)
    }

    /// Returns the members for the state of a control; none if its characteristic is neither read nor subscribed to.
    func state(_ template: String) -> JSON.Object {
        source.isObserved ? ["state_topic": .string(source.topic), "value_template": .string(template)] : [:]
    }
}
