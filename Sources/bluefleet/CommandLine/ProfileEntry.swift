import Codec
import Configuration
import Devices
import Glibc
import System

/// An entry of a profile that a command names: `jbd/battery cells`.
struct ProfileEntry {
    /// The operands in the text of the commands that accept PROFILE ENTRY in place of CHARACTERISTIC.
    static let explanation = """
        In place of CHARACTERISTIC, PROFILE ENTRY names an entry of a profile (bluefleet profiles): the bytes are then those of \
        the device's notifications, each one an argument, and their frame is checked.
        """

    private let characteristic: Configuration.Characteristic
    /// The questions and frames of the profile; nil if it has none.
    private let plan: ConversationPlan?
    private let secrets: QuestionSecrets
    private let name: String

    /// - Parameters:
    ///   - profile: The first argument; the result is nil if no profile has this name.
    ///   - entry: The second argument; nil if it is missing.
    /// - Throws: `Failure` for an unknown entry, and for a profile with mistakes.
    init?(_ profile: String, _ entry: String?) throws(Failure) {
        let library = ProfileLibrary(beside: ConfigurationFile.standard)
        guard library.path(of: profile) != nil else { return nil }
        let settings: Configuration.DeviceSettings
        do throws(ConfigurationError) {
            settings = try library.settings(of: profile)
        } catch {
            throw Failure(.badConfiguration, "the profile has mistakes\n\(error.text)")
        }
        let names = settings.characteristics.map(\.name)
        guard let entry else {
            throw Failure(.usage, "missing argument ENTRY after \(profile): one of \(names.joined(separator: ", "))")
        }
        guard let characteristic = settings.characteristics.first(where: { $0.name == entry }) else {
            throw Failure(.usage, InvalidValue(unknown: "entry", entry, among: names).message)
        }
        self.characteristic = characteristic
        plan = ConversationPlan(settings, includingFirst: false)
        do throws(InvalidValue) {
            secrets = QuestionSecrets(
                cipher: try settings.cipher.map { (cipher) throws(InvalidValue) in try cipher.messageCipher() })
        } catch {
            throw Failure(.badConfiguration, error.message)
        }
        name = entry
    }

    /// The format of the value, if it is neither asked for nor found in frames; nil otherwise.
    var format: Format? { characteristic.isExchange ? nil : characteristic.meaning }

    private static var now: Moment {
        let time = Timestamp(milliseconds: Int64(Glibc.time(nil)) * 1000)
        return Moment(Instant(nanoseconds: 0), time, offset: time.localOffset)
    }

    /// Decodes the notifications of an answer.
    ///
    /// - Parameter words: The notifications in hexadecimal digits.
    /// - Returns: The reading.
    /// - Throws: `Failure` if they contain no whole and valid answer.
    func decode(_ words: [String]) throws(Failure) -> Reading {
        if characteristic.isExchange, let plan, let index = plan.index(of: name) {
            var notifications: [[UInt8]] = []
            for word in words { notifications.append(try HexadecimalText(typed: word).bytes) }
            do throws(QuestionFailure) {
                return try plan.decode(notifications, of: index, secrets, at: Self.now)
            } catch {
                throw Failure(.badData, "\(name): \(error)")
            }
        }
        guard let format = characteristic.meaning else { throw Failure(.badData, "\(name) has no format") }
        let reading = try CharacteristicBytes(words.joined(separator: " "), as: format).decode()
        do throws(DecodingError) {
            if let valid = characteristic.valid { try reading.check(valid, in: format) }
        } catch {
            throw Failure(.badData, "\(name): \(error)")
        }
        return reading
    }

    /// Returns the bytes of a question, or of a command with a value.
    ///
    /// - Parameter text: The value in JSON; nil: none.
    /// - Returns: The bytes.
    /// - Throws: `Failure` if the value does not fit.
    func question(_ text: String?) throws(Failure) -> [UInt8] {
        guard let plan, let index = plan.index(of: name) else {
            throw Failure(.badData, "\(name) has no question")
        }
        let value: Value? = if let text { try JSONText(text, of: nil).value } else { nil }
        do throws(QuestionFailure) {
            return try plan.encode(value, for: index, secrets, at: Self.now)
        } catch {
            throw Failure(.badData, "\(name): \(error)")
        }
    }
}
