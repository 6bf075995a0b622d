extension AdvertisementFormat {
    /// What a member of one of its readings is; nil for what the format does not show.
    ///
    /// Objects of one kind that come several times have numbers after their names, and some names stand for a number as
    /// well as for a truth: the unit and the value tell.
    package func quantity(of member: Reading.Member) -> Quantity? {
        let all = format.fields.flatMap(\.quantities)
        let found = all.filter { $0.name == member.name }
        let candidates = found.isEmpty ? all.filter { member.name.isNumbered($0.name) } : found
        let fitting = candidates.filter { $0.kind.fits(member.value) }
        guard let quantity = fitting.first(where: { $0.unit == member.unit }) ?? fitting.first else { return nil }
        return Quantity(
            name: member.name, kind: quantity.kind, unit: member.unit, homeAssistant: quantity.homeAssistant,
            range: quantity.range, step: quantity.step)
    }

    /// Everything that it can show, where that is known beforehand.
    package var quantities: [Quantity] {
        format.fields.contains { $0.objects != nil } ? [] : format.quantities
    }
}

extension Quantity.Kind {
    fileprivate func fits(_ value: Value) -> Bool {
        if case .boolean = value { return self == .boolean }
        return value == .null || self != .boolean
    }
}

extension String {
    /// Whether it is `name`, an underscore and a number.
    fileprivate func isNumbered(_ name: String) -> Bool {
        guard hasPrefix(name + "_") else { return false }
        let rest = dropFirst(name.count + 1)
        return !rest.isEmpty && rest.allSatisfy(\.isNumber)
    }
}
