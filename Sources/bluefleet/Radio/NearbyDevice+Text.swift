import Bluetooth
import Bridge
import Codec
import Configuration
import EventLoop
import Survey
import System

extension NearbyDevice {
    /// The device as a line, followed by lines with further data, in 80 columns.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - recognition: Proposes profiles for the device.
    /// - Returns: The lines.
    func lines(at now: Timestamp, _ recognition: ProfileRecognition) -> [String] {
        let strength = rssi.map { "\($0) dBm" } ?? ""
        let age = Duration.milliseconds(now.milliseconds - lastSeen.milliseconds).age
        let columns = [
            "\(address)", kind.rawValue.padded(to: 6), strength.padded(to: 8), age.padded(to: 5),
            Style.bold((name?.printable ?? "").cut(to: 35)),
        ]
        let first = columns.joined(separator: "  ").trimmingTrailingSpaces
        return [first]
            + (details + [recognition.text(for: self)].compactMap { $0 }).flatMap { Paragraph($0).lines(indent: 19) }
    }

    private var details: [String] {
        var details: [String] = []
        if !services.isEmpty {
            details.append(services.map(AssignedNumbers.services.label).joined(separator: ", "))
        }
        for (format, reading) in readings.sorted(by: { $0.key < $1.key }) {
            let text = reading.text.split(separator: "\n").map { $0.words.joined(separator: " ") }
            details.append("\(format): \(text.joined(separator: ", "))")
        }
        switch obstacle {
        case nil, .unknown, .repeated: break
        case .noKey: details.append("encrypted: the key of the device is required")
        case let obstacle?: details.append("\(obstacle)")
        }
        if readings.isEmpty, obstacle == .unknown {
            let makers = manufacturerData.keys.sorted().map { "0x\(String($0, radix: 16))" }
            if !makers.isEmpty { details.append("data of company \(makers.joined(separator: ", "))") }
        }
        return details
    }
}

extension Substring {
    /// The words between spaces.
    fileprivate var words: [Substring] { split(separator: " ") }
}
