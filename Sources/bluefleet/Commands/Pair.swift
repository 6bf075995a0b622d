import BlueZ
import Bluetooth
import Bridge
import Codec
import Configuration
import EventLoop

/// `bluefleet pair`: pairs with a device.
struct Pair: Command {
    static let name = "pair"
    static let summary = "pairs with a device"
    static let details = [
        """
        If the passkey is shown or printed on the device, the terminal asks for it; a script gives it with --passkey. The \
        passkey_file of a configured device is used without a question. \
        If the passkey must be entered at the device, the terminal shows it. bluetoothd stores the bond until one side \
        removes it.
        """
    ]
    static let operands = [Target.operand]
    static let options = [passkey] + Target.options + [.json]
    static let examples = ["bluefleet pair C0:00:00:00:00:01", "bluefleet pair C0:00:00:00:00:01 --passkey 012345"]

    private static let passkey = Option(
        "passkey", value: "DIGITS", "the six digits that are shown or printed on the device")

    private let target: Target
    private let passkey: Passkey?
    /// The file with the passkey, from the configuration; nil if the passkey is not from a file.
    private let passkeyFile: String?
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        target = try Target(arguments)
        if let text = arguments[Self.passkey] {
            guard let passkey = Passkey(text) else {
                throw Failure(.usage, "--passkey: expected six digits, found \(text.quotedForMessage)")
            }
            self.passkey = passkey
            passkeyFile = nil
        } else if let file = target.device?.passkeyFile?.path {
            do throws(InvalidValue) {
                passkey = try Secret.passkey(file)
            } catch {
                throw Failure(.noPermission, "passkey_file: \(error.message). Give the passkey with --passkey")
            }
            passkeyFile = file
        } else {
            passkey = nil
            passkeyFile = nil
        }
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        try onRadio(target.bus) { radio in
            try await pair(by: radio)
            Progress.clear()
            if asJSON {
                let result: Value = ["address": .string("\(target.address)"), "paired": true]
                StandardStream.output.print(result.description)
            } else {
                StandardStream.output.print("\(target.address) is paired")
            }
        }
    }

    private func pair(by radio: isolated Radio) async throws(Failure) {
        do throws(CentralError) {
            try await radio.pair(with: target.address, answers(on: radio.loop), within: target.limit)
        } catch {
            let error = error.naming(passkeyFile: passkeyFile)
            let isUnanswered = error.code == .pairingFailed && passkey == nil && !Prompt.isPossible
            throw isUnanswered
                ? Failure(.noPermission, "\(error). Give the passkey with --passkey") : Failure(error, on: target.bus)
        }
    }

    private func answers(on loop: EventLoop) -> PairingAnswers {
        var answers = PairingAnswers(passkey: passkey)
        if Prompt.isPossible { answers.ask = { Self.answer($0, on: loop) } }
        answers.display = { Self.show("Enter the passkey \($0) at the device.") }
        return answers
    }

    private static func answer(_ question: PairingQuestion, on loop: EventLoop) {
        switch question.subject {
        case .passkey:
            Prompt.ask("The passkey of \(question.peripheral), six digits:", on: loop) { line in
                let passkey = line.flatMap { Passkey($0) }
                if passkey == nil, line?.isEmpty == false {
                    Self.answer(question, on: loop)
                } else {
                    question.answer(passkey)
                }
            }
        case .comparison(let number):
            Prompt.ask("Does \(question.peripheral) also show \(number)? [y/n]", on: loop) { line in
                question.answer(line?.lowercased().hasPrefix("y") == true ? number : nil)
            }
        }
    }

    private static func show(_ text: String) {
        Progress.clear()
        StandardStream.error.print(text)
    }
}
