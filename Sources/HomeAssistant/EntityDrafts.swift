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
        guard source.isObserved else { return controls }
        // A control also shows the state that it sets, if its readings arrive.
        let shown = controls.filter { $0.members["state_topic"]?.string == source.topic }.map(\.subject.field)
        return sensors.filter { !shown.contains($0.subject.field) } + controls
    }

    package func subject(_ field: String? = nil) -> EntitySubject {
        EntitySubject(source: source, field: field)
    }

    /// Returns the template for a quantity of the readings or, if no readings arrive, of the written values.
    package func template(_ quantity: Quantity?) -> ValueTemplate {
        template(form: quantity?.form, field: source.onlyQuantity == nil ? quantity?.name : nil)
    }

    /// Returns the template for a field of the readings or of the written values, or for a part of it.
    func template(form: Quantity.Form?, field: String?, _ parts: [ValuePart] = []) -> ValueTemplate {
        ValueTemplate(
            source.isObserved ? .reading(source.payload) : .response, field: field, parts: parts, form: form)
    }

    /// Returns the members for the state of a control: the values of the characteristic that the key `state` names, the
    /// readings, or the last value that the device has accepted.
    ///
    /// A control without a state would show a value that the device has refused.
    ///
    /// - Parameters:
    ///   - quantity: the written quantity; nil if the format is not known.
    ///   - isText: whether the entity is a text.
    ///   - show: returns the text of the template.
    /// - Returns: the members.
    package func state(
        of quantity: Quantity?, isText: Bool = false, _ show: (ValueTemplate) -> String
    ) -> JSON.Object {
        if let reported = reported(quantity, isOnly: source.quantities == nil || source.onlyQuantity != nil, show) {
            return reported
        }
        let template = show(template(quantity))
        if source.isObserved { return ["state_topic": .string(source.topic), "value_template": .string(template)] }
        return accepted(template, isText: isText)
    }

    /// Returns the members for a state that another characteristic reports; nil if none does.
    package func reported(
        _ quantity: Quantity?, isOnly: Bool, _ show: (ValueTemplate) -> String
    ) -> JSON.Object? {
        guard let state = source.state, let template = state.template(of: quantity, isOnly: isOnly) else { return nil }
        return ["state_topic": .string(state.topic), "value_template": .string(show(template))]
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
