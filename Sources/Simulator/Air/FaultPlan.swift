/// The faults that are planned for a peripheral or an adapter.
final class FaultPlan {
    private var rules: [Fault.Rule]

    init(_ rules: [Fault.Rule]) {
        self.rules = rules
    }

    /// Returns whether the fault occurs now; each occurrence reduces the number of planned occurrences.
    func happens(_ fault: Fault) -> Bool {
        guard let index = rules.firstIndex(where: { $0.fault == fault }) else { return false }
        guard let times = rules[index].times else { return true }
        if times <= 1 { rules.remove(at: index) } else { rules[index].times = times - 1 }
        return true
    }

    func isPlanned(_ fault: Fault) -> Bool {
        rules.contains { $0.fault == fault }
    }

    /// Plans a fault; the rule replaces an earlier rule for the same fault.
    func plan(_ rule: Fault.Rule) {
        cancel(rule.fault)
        rules.append(rule)
    }

    func cancel(_ fault: Fault) {
        rules.removeAll { $0.fault == fault }
    }
}
