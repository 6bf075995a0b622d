package import Codec

/// An event that a conversation handles.
package enum ConversationEvent: Sendable {
    /// The connection is ready; `channels` are the characteristics for frames that the device has.
    case connected(channels: Set<Int>, QuestionSecrets)
    /// A characteristic for frames is subscribed.
    case subscribed(channel: Int)
    /// A characteristic for frames cannot be subscribed on this connection.
    case subscriptionFailed(channel: Int, reason: String)
    /// The question of an item must be asked.
    case due(Int)
    /// A client asks: the result is reported with this identifier.
    case requested(Int, item: Int, Value?)
    /// A question was written.
    case written(token: Int)
    /// A question could not be written, or an answer could not be read.
    case accessFailed(token: Int, reason: String)
    /// A notification has arrived.
    case received([UInt8], channel: Int)
    /// The answer was read.
    case read(token: Int, [UInt8])
    /// A value of an entry, or an advertised quantity, was published while the broker was connected.
    case published(owner: String)
    /// Records of an item were not published; the memory is that of the published ones.
    case recordsLost(item: Int, HistoryMemory)
    /// The moment `wake` of the conversation has come.
    case timer
    /// The connection has ended, or its services have changed.
    case ended
}

/// The answer to a question.
package struct QuestionAnswer: Equatable, Sendable {
    /// The item that defines the format of the answer.
    package let item: Int
    /// The decoded answer; nil: there is no format.
    package let reading: Reading?
    package let bytes: [UInt8]
    /// The number of published records; nil: the answer is no history.
    package var records: Int?
}

/// An action that a conversation demands.
package enum ConversationAction: Equatable, Sendable {
    /// Write the question of an item; then report `written`.
    case write(item: Int, [UInt8], token: Int)
    /// Read the answer of an item; then report `read`.
    case read(item: Int, token: Int)
    /// Publish a reading of an item.
    ///
    /// `number` is that of the question in its series; nil: there is no series.
    case deliver(item: Int, Reading, isAsked: Bool, number: Int?)
    /// Publish a record of an item, which may be old.
    case record(item: Int, HistoryRecord)
    /// A history has begun: the session may take this long.
    case prolong(Duration)
    /// A frame of an item arrived unasked, and does not fit its format.
    case reject(item: Int, String, [UInt8])
    /// The question of an item that was due is done.
    case done(item: Int, isAnswered: Bool)
    /// The question of an item has failed.
    case report(item: Int, QuestionFailure, attempts: Int)
    /// Answer a client.
    case respond(Int, Result<QuestionAnswer, QuestionFailure>)
    /// A first question was refused or not answered: the connection must end.
    case endAfterLogin(String)
    /// Many questions in a row had no answer: the connection must end.
    case endAfterSilence(questions: Int)
}
