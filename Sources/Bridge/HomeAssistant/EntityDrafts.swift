internal import Codec
internal import Configuration
internal import JSON

/// The entities that the readings of one topic make.
struct EntityDrafts {
    let source: EntitySource

    init(_ source: EntitySource) {
        self.source = source
    }

    var all: [EntityDraft] {
        guard source.canBeWritten else { return sensors }
        let control = control
        // A control shows the state that it sets, where there is one to show.
        let showsState = control.members["state_topic"] != nil
        return source.isObserved && !showsState ? sensors + [control] : [control]
    }

    func subject(_ field: String? = nil) -> EntitySubject {
        EntitySubject(source: source, field: field)
    }

    func template(_ quantity: Quantity?) -> ValueTemplate {
        ValueTemplate(
            field: source.onlyQuantity == nil ? quantity?.name : nil, kind: quantity?.kind, payload: source.payload)
    }

    /// Where the state is, for a control of something that is observed.
    func state(_ template: String) -> JSON.Object {
        source.isObserved ? ["state_topic": .string(source.topic), "value_template": .string(template)] : [:]
    }
}
