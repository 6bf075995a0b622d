internal import BlueZ
internal import Bluetooth

/// The requests that are about peripherals which nobody has configured.
struct Strangers {
    /// A request that has no response yet.
    struct Key: Hashable, Sendable {
        let address: Address
        fileprivate let number: Int
    }

    /// How many requests are served at a time.
    static let capacity = 8

    private var replies: [Key: ReplyAddress] = [:]
    private var questions: [Address: PairingQuestion] = [:]
    private var number = 0

    var count: Int { replies.count }

    /// Whether there is a request about this one.
    func concern(_ address: Address) -> Bool { replies.keys.contains { $0.address == address } }

    mutating func enter(_ address: Address, _ reply: ReplyAddress) -> Key {
        number += 1
        let key = Key(address: address, number: number)
        replies[key] = reply
        return key
    }

    /// Where the response goes; nil where there has been one.
    mutating func leave(_ key: Key) -> ReplyAddress? {
        replies.removeValue(forKey: key)
    }

    mutating func leaveAll() -> [ReplyAddress] {
        defer { replies = [:] }
        return Array(replies.values)
    }

    mutating func ask(_ question: PairingQuestion) {
        questions[question.peripheral] = question
    }

    /// A request brings the answer to an earlier one's question.
    mutating func answer(_ address: Address, _ passkey: Passkey) {
        questions.removeValue(forKey: address)?.answer(passkey)
    }

    mutating func forgetQuestion(of address: Address) {
        questions[address] = nil
    }
}
