internal import BlueZ
internal import Bluetooth

/// Those that are being paired with or looked through, and that nobody has configured or keeps connected.
struct Strangers {
    /// How many requests are about each of them.
    private var requests: [Address: Int] = [:]
    private var questions: [Address: PairingQuestion] = [:]

    mutating func enter(_ address: Address) {
        requests[address, default: 0] += 1
    }

    func contains(_ address: Address) -> Bool { requests[address] != nil }

    /// Whether no more than one request is about it.
    func isLast(_ address: Address) -> Bool { requests[address] == 1 }

    /// Whether nobody cares for it any more.
    mutating func leave(_ address: Address) -> Bool {
        let rest = requests[address, default: 1] - 1
        requests[address] = rest > 0 ? rest : nil
        if rest == 0 { questions[address] = nil }
        return rest == 0
    }

    mutating func ask(_ question: PairingQuestion) {
        questions[question.peripheral] = question
    }

    /// A request brings the answer to an earlier one's question.
    mutating func answer(_ address: Address, _ passkey: Passkey) {
        questions.removeValue(forKey: address)?.answer(passkey)
    }
}
