import Codec
import Configuration

/// A value of a reading that an entity shows: a quantity of the source, or a part of a list or of a record.
struct ShownValue {
    /// The description of the value; nil if the format is not known.
    let quantity: Quantity?
    private(set) var subject: EntitySubject
    /// The steps from the quantity of the source to the value.
    private(set) var parts: [ValuePart] = []
    /// The name of the value in the labels of the configuration: `FIELD`, or `FIELD.MEMBER` in a record.
    private var labelName: String
    /// Whether the unit and the class of the configured characteristic apply to the value.
    let isOnly: Bool

    init(_ quantity: Quantity?, of source: EntitySource) {
        self.quantity = quantity
        isOnly = source.onlyQuantity != nil
        subject = EntitySubject(source: source, field: isOnly ? nil : quantity?.name)
        labelName = quantity?.name ?? ""
    }

    private init(_ part: ValuePart, _ quantity: Quantity, of whole: ShownValue, isOnly: Bool) {
        self.quantity = quantity
        self.isOnly = isOnly
        subject = whole.subject
        subject.parts.append(part.name)
        parts = whole.parts + [part]
        labelName = whole.labelName
    }

    /// The label of the value in the configuration; nil if it has none.
    var label: Configuration.FieldLabel? { subject.source.fieldLabels[labelName] }

    /// The device class that the configuration sets for the only value of a reading or for the field; nil: none.
    var deviceClass: String? { (isOnly ? subject.source.deviceClass : nil) ?? label?.deviceClass }

    /// Returns an element of a list; the elements share the label of the list.
    func element(_ index: Int, _ quantity: Quantity) -> ShownValue {
        ShownValue(.element(index), quantity, of: self, isOnly: isOnly)
    }

    /// Returns a member of a record.
    func member(_ quantity: Quantity) -> ShownValue {
        var member = ShownValue(.member(quantity.name), quantity, of: self, isOnly: false)
        member.labelName = Configuration.FieldLabel.name(of: quantity.name, in: labelName)
        return member
    }

    /// Returns the same value for an entity with another name.
    func part(named name: String) -> ShownValue {
        var value = self
        value.subject.parts.append(name)
        return value
    }
}
