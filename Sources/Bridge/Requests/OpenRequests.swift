import BlueZ
import Bluetooth

/// The open requests about each unmanaged peripheral, and the questions that pairings ask.
struct OpenRequests {
    private var counts: [Address: Int] = [:]
    private var questions: [Address: PairingQuestion] = [:]

    mutating func begin(_ address: Address) {
        counts[address, default: 0] += 1
    }

    func contains(_ address: Address) -> Bool { counts[address] != nil }

    /// Returns whether exactly one request about the peripheral is open.
    func isLast(_ address: Address) -> Bool { counts[address] == 1 }

    /// Ends a request.
    ///
    /// - Returns: Whether the request was the last open request about the peripheral.
    mutating func end(_ address: Address) -> Bool {
        let rest = counts[address, default: 1] - 1
        counts[address] = rest > 0 ? rest : nil
        if rest == 0 { questions[address] = nil }
        return rest == 0
    }

    mutating func ask(_ question: PairingQuestion) {
        questions[question.peripheral] = question
    }

    /// Answers the question of an earlier request, if there is one.
    mutating func answer(_ address: Address, _ passkey: Passkey) {
        questions.removeValue(forKey: address)?.answer(passkey)
    }
}
