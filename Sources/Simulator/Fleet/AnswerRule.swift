package import Bluetooth
package import Codec

/// The answer of a peripheral to a question that is written to a characteristic.
package struct AnswerRule: Sendable {
    /// A byte of an answer.
    package enum Byte: Sendable, Equatable {
        case fixed(UInt8)
        /// A copy of the byte of the question at this position.
        case copied(Int)
    }

    /// The bytes of one message of an answer.
    package struct Message: Sendable, Equatable {
        /// The characteristic that sends the message; nil: the one to which the question was written.
        package let source: UUID?
        package let bytes: [Byte]

        package init(from source: UUID?, _ bytes: [Byte]) {
            self.source = source
            self.bytes = bytes
        }
    }

    /// A fault of an answer; the raw value is the name in a fleet file.
    package enum Fault: String, CaseIterable, Sendable {
        /// No answer is sent.
        case silent
        /// Only the first half of the bytes is sent.
        case cut
        /// The answer is sent 3 s later.
        case late
        /// The answer is sent twice.
        case twice
        /// The notifications alternate with those of another answer.
        case mixed
        /// Another answer of the characteristic is sent.
        case foreign
        /// One bit of the answer is wrong.
        case flipped
    }

    /// The questions to which the rule applies.
    package var question: BytePattern
    /// The messages of the answer, in their order.
    package var messages: [Message]
    /// The longest notification in bytes.
    package var cut = longestNotification
    /// The time between the question and the first notification.
    package var delay = Duration.milliseconds(20)
    /// How often the rule applies; the next rule with the same question follows; nil: always.
    package var times: Int?
    /// The faults with their rates, from 0 to 1.
    package var faults: [(fault: Fault, rate: Double)] = []

    /// The longest notification of a device with the greatest MTU, in bytes.
    static let longestNotification = 512
}
