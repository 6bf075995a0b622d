extension AdvertisementFormat {
    /// Returns the quantity of a member of a reading; nil if the format has no quantity with the member's name.
    ///
    /// Repeated objects have a number after their name, e.g. `temperature_2`. If several quantities have the same name,
    /// the form of the value and the unit select one of them.
    package func quantity(of member: Reading.Member) -> Quantity? {
        let all = format.fieldQuantities
        let found = all.filter { $0.name == member.name }
        let candidates = found.isEmpty ? all.filter { member.name.isNumbered($0.name) } : found
        let fitting = candidates.filter { $0.form.fits(member.value) }
        guard let quantity = fitting.first(where: { $0.unit == member.unit }) ?? fitting.first else { return nil }
        var result = Quantity(
            name: member.name, form: quantity.form, unit: member.unit, kind: quantity.kind,
            range: quantity.range, step: quantity.step)
        result.parts = quantity.parts
        result.count = quantity.count
        result.hasFixedCount = quantity.hasFixedCount
        return result
    }

    /// The quantities that readings of the format can have; empty if they depend on the objects of each packet.
    package var quantities: [Quantity] {
        format.hasObjects ? [] : format.quantities
    }
}

extension Quantity.Form {
    fileprivate func fits(_ value: Value) -> Bool {
        if case .boolean = value { return self == .boolean }
        return value == .null || self != .boolean
    }
}

extension String {
    /// Returns whether the text is `name`, an underscore and a number.
    fileprivate func isNumbered(_ name: String) -> Bool {
        guard hasPrefix(name + "_") else { return false }
        let rest = dropFirst(name.count + 1)
        return !rest.isEmpty && rest.allSatisfy(\.isNumber)
    }
}
