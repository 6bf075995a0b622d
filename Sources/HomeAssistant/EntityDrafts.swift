package import Codec
import Configuration
package import JSON

/// The entities for the readings of one topic.
package struct EntityDrafts {
    package let source: EntitySource

    package init(_ source: EntitySource) {
        self.source = source
    }

    package var all: [EntityDraft] {
        guard source.canBeWritten else { return sensors }
        let controls = controls
        // A control also shows the state that it sets, if its readings arrive.
        let showsState = controls.contains { $0.members["state_topic"]?.string == source.topic }
        return source.isObserved && !showsState ? sensors + controls : controls
    }

    package func subject(_ field: String? = nil) -> EntitySubject {
        EntitySubject(source: source, field: field)
    }

    /// Returns the template for a quantity of the readings or, if no readings arrive, of the written values.
    package func template(_ quantity: Quantity?) -> ValueTemplate {
        let field = source.onlyQuantity == nil ? quantity?.name : nil
        return ValueTemplate(
            source.isObserved ? .reading(source.payload) : .response, field: field, form: quantity?.form)
    }

    /// Returns the members for the state of a control: the readings, or the last value that the device has accepted.
    ///
    /// A control without a state would show a value that the device has refused.
    package func state(_ template: String, isText: Bool = false) -> JSON.Object {
        if source.isObserved { return ["state_topic": .string(source.topic), "value_template": .string(template)] }
        return accepted(template, isText: isText)
    }

    /// Returns the members for a state that comes from the responses to written values.
    ///
    /// - Parameters:
    ///   - template: the template for a response of the characteristic.
    ///   - condition: a further Jinja condition for the response; nil: none.
    ///   - isText: whether the entity is a text.
    /// - Returns: the members.
    package func accepted(_ template: String, if condition: String? = nil, isText: Bool = false) -> JSON.Object {
        guard let topic = source.responseTopic else { return [:] }
        let template = ValueTemplate.response(of: source.name, if: condition, template, isText: isText)
        return ["state_topic": .string(topic), "value_template": .string(template)]
    }
}
