/// Why a question has no answer.
package enum QuestionFailure: Error, Equatable, Sendable {
    /// No answer arrived in time, and no bytes that could be one.
    case timeout
    /// Bytes arrived in place of the answer; the text says how they differ from it.
    case unrecognized(String, [UInt8])
    /// The device has answered no, with these bytes.
    case refused([UInt8])
    /// The answer does not fit its format, or is not valid.
    case invalid(String, [UInt8])
    /// Frames of the answer are missing.
    case incomplete(String)
    /// The question cannot be asked.
    case unaskable(String)
    /// The value that a client gives does not fit the question.
    case wrongValue(String)
    /// The question could not be written, or its answer could not be read.
    case failed(String)
    /// The connection ended, or the services changed, before the answer.
    case interrupted

    /// The bytes that the device has sent; empty if there are none.
    package var bytes: [UInt8] {
        switch self {
        case .refused(let bytes), .invalid(_, let bytes), .unrecognized(_, let bytes): bytes
        case .timeout, .incomplete, .unaskable, .wrongValue, .failed, .interrupted: []
        }
    }
}

extension QuestionFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .timeout: "the device did not answer in time"
        case .unrecognized(let reason, _): "the device did not answer in time: \(reason)"
        case .refused: "the device refused the question"
        case .invalid(let reason, _), .incomplete(let reason), .unaskable(let reason), .wrongValue(let reason),
            .failed(let reason):
            reason
        case .interrupted: "the connection ended before the answer"
        }
    }
}
