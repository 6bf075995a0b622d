import Codec
import JSON

/// The result of one check.
struct Diagnosis: Sendable {
    enum State: Equatable, Sendable {
        case ok
        /// The bridge works, but a change is recommended.
        case advice
        /// The bridge cannot work; the value is the exit status of the doctor.
        case wrong(ExitStatus)
    }

    /// The subject of the check, in one or two words.
    let subject: String
    let state: State
    let message: String
    /// The commands or settings that fix the problem, one per line; nil if there are none.
    let remedy: String?

    static func ok(_ subject: String, _ message: String) -> Diagnosis {
        Diagnosis(subject: subject, state: .ok, message: message, remedy: nil)
    }

    static func advice(_ subject: String, _ message: String, _ remedy: String? = nil) -> Diagnosis {
        Diagnosis(subject: subject, state: .advice, message: message, remedy: remedy)
    }

    static func wrong(
        _ subject: String, _ message: String, _ remedy: String?, status: ExitStatus = .unavailable
    ) -> Diagnosis {
        Diagnosis(subject: subject, state: .wrong(status), message: message, remedy: remedy)
    }
}

extension Diagnosis {
    /// The result as text in 80 columns.
    var text: String {
        let label = "\(word.padded(to: 7)) \(subject.padded(to: 14))"
        var lines = Paragraph(message).lines(labelled: label, indent: 23)
        lines[0] = emphasis(String(lines[0].prefix(7))) + lines[0].dropFirst(7)
        for line in (remedy ?? "").split(separator: "\n") { lines.append("".padded(to: 8) + Style.bold(String(line))) }
        return lines.joined(separator: "\n")
    }

    /// The result as JSON.
    var record: Record {
        var record = Record([
            ("subject", .string(subject)), ("state", .string(word)), ("message", .string(message)),
        ])
        if let remedy { record["remedy"] = .string(remedy) }
        return record
    }

    private var word: String {
        switch state {
        case .ok: "ok"
        case .advice: "advice"
        case .wrong: "wrong"
        }
    }

    private func emphasis(_ text: String) -> String {
        switch state {
        case .ok: Style.green(text)
        case .advice: Style.yellow(text)
        case .wrong: Style.red(text)
        }
    }
}
