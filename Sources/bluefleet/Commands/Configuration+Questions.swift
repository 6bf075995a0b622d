import Codec
import Configuration
import Devices
import System

extension Configuration {
    /// The subscriptions and the questions of each device that answers when asked, in their order; empty if there is none.
    ///
    /// - Parameter time: The time for questions that contain it.
    /// - Returns: A few aligned lines for each device.
    func questions(at time: Timestamp) -> String {
        let moment = Moment(Instant(nanoseconds: 0), time, offset: time.localOffset)
        return devices.compactMap { device in
            ConversationPlan(device.settings).map { plan in
                "\n" + plan.text(device.name, at: moment, hasPIN: device.settings.pinFile != nil)
            }
        }.joined()
    }
}

extension ConversationPlan {
    fileprivate func text(_ device: String, at moment: Moment, hasPIN: Bool) -> String {
        let previews = previews(at: moment, hasPIN: hasPIN)
        let width = max(10, previews.map(\.name.count).max() ?? 0)
        func row(_ name: String, _ text: String) -> String {
            "    \(name)\(String(repeating: " ", count: max(0, width - name.count)))  \(text)"
        }
        let subscriptions = channels.map { row("subscribe", "\($0)") }
        let questions = previews.map { preview in
            let numbers = preview.numbers.map { " (for each number from \($0))" } ?? ""
            return row(preview.name.printable, "\(preview.destination) \(preview.content.text)\(numbers)")
        }
        let title = previews.isEmpty ? "is not asked:" : "is asked, in this order:"
        return (["  \(device.printable) \(title)"] + subscriptions + questions).joined(separator: "\n") + "\n"
    }
}

extension ConversationPlan.Preview.Content {
    fileprivate var text: String {
        switch self {
        case .bytes(let bytes): bytes.hexadecimal
        case .secret(.containsPIN): "(contains the PIN)"
        case .secret(.encrypted): "(encrypted)"
        case .command: "(on request)"
        case .unknown(let reason): "(\(reason))"
        case .notAsked(let condition): "(never asked: \(condition) is false)"
        }
    }
}
