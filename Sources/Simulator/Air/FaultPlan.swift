/// The faults that are still to happen.
struct FaultPlan {
    private var rules: [Fault.Rule]

    init(_ rules: [Fault.Rule]) {
        self.rules = rules
    }

    /// Whether the fault happens now; one that happens a number of times is used up.
    mutating func happens(_ fault: Fault) -> Bool {
        guard let index = rules.firstIndex(where: { $0.fault == fault }) else { return false }
        guard let times = rules[index].times else { return true }
        if times <= 1 { rules.remove(at: index) } else { rules[index].times = times - 1 }
        return true
    }

    func isPlanned(_ fault: Fault) -> Bool {
        rules.contains { $0.fault == fault }
    }

    mutating func plan(_ rule: Fault.Rule) {
        cancel(rule.fault)
        rules.append(rule)
    }

    mutating func cancel(_ fault: Fault) {
        rules.removeAll { $0.fault == fault }
    }
}
