import Codec
import Configuration
import JSON
import System

/// The answers of a device in the form of a recording, which a simulated peripheral plays.
struct TrialRecording {
    let profile: ShippedProfile
    /// The parameters that were given to the profile.
    let parameters: [(name: String, value: String)]
    let results: [TrialResult]
    let time: Timestamp

    /// The recording in YAML.
    var text: String {
        let items = results.map(item)
        return """
            # Recorded with bluefleet try. A simulated peripheral plays the file with "replay: FILE".
            # The items of tests can be copied into the profile.
            profile: \(profile.name)
            version: \(profile.version)
            tests:\(results.isEmpty ? " []" : "")

            """ + items.map { "\($0)\n" }.joined()
    }

    private func item(_ result: TrialResult) -> String {
        var keys = ["entry: \(result.entry)"]
        switch result.question {
        case .none: break
        case .secret(let reason): return "  # \(result.name) is not recorded: \(reason)"
        case .bytes(_, let pattern): keys.append("ask: \"\(pattern)\"")
        }
        let pieces = result.answer.map { piece in
            let hex = "\"\(piece.bytes.hexadecimal.uppercased())\""
            return piece.source == result.source ? hex : "{from: \(piece.source), hex: \(hex)}"
        }
        if pieces.count == 1 { keys.append("answer: \(pieces[0])") }
        if pieces.count > 1 { keys.append("answer: [\(pieces.joined(separator: ", "))]") }
        switch result.outcome {
        case .skipped(let reason): return "  # \(result.name) is not recorded: \(reason)"
        case .failed: keys.append("expect: failed")
        case .values(let reading):
            if let expected = reading.flatMap({ Self.expected($0, result.format) }) {
                keys.append("expect: \(expected)")
            }
        }
        if !parameters.isEmpty {
            let values = parameters.map { "\($0.name): \(Value.string($0.value))" }.joined(separator: ", ")
            keys.append("with: {\(values)}")
        }
        keys.append("source: recorded \(time.description.prefix(10)) with bluefleet \(Program.version)")
        return "  - \(keys.joined(separator: "\n    "))"
    }

    /// Returns the values as a test expects them; nil if there is none.
    private static func expected(_ reading: Reading, _ format: Format?) -> String? {
        let members = (format ?? Format([])).members(of: reading).filter { $0.value.isTestable }
        guard !members.isEmpty else { return nil }
        // JSON is valid YAML, in which texts are quoted.
        return "{\(members.map { "\($0.name): \($0.value)" }.joined(separator: ", "))}"
    }
}

extension Value {
    /// Whether a test of a profile can expect the value.
    fileprivate var isTestable: Bool {
        switch self {
        case .bytes, .record: false
        case .list(let elements): elements.allSatisfy(\.isTestable)
        default: true
        }
    }
}
