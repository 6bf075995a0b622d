internal import Codec

/// What the doctor found out about one thing.
struct Diagnosis: Sendable {
    enum State: Equatable, Sendable {
        case ok
        /// It works, and could work better.
        case advice
        /// The bridge cannot work like this; the status with which the doctor then ends.
        case wrong(ExitStatus)
    }

    /// What was looked at, in a word or two.
    let subject: String
    let state: State
    let message: String
    /// The commands, or the settings in a file, that mend it, each in a line.
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
    /// For people, in 80 columns.
    var text: String {
        let label = "\(word.padded(to: 7)) \(subject.padded(to: 14))"
        var lines = Paragraph(message).lines(labelled: label, indent: 23)
        lines[0] = emphasis(String(lines[0].prefix(7))) + lines[0].dropFirst(7)
        for line in (remedy ?? "").split(separator: "\n") { lines.append("".padded(to: 8) + Style.bold(String(line))) }
        return lines.joined(separator: "\n")
    }

    /// For programs.
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
