package import Bluetooth
package import Codec

extension Configuration {
    /// A characteristic of a device, in a service.
    package struct Place: Hashable, Sendable {
        /// The service; nil for any service.
        package let service: UUID?
        package let characteristic: UUID

        package init(service: UUID?, characteristic: UUID) {
            self.service = service
            self.characteristic = characteristic
        }

        /// The name of the subscription for answers, in messages.
        package var channelName: String { "answers on \(self)" }
    }

    /// How the answer to a question arrives, and how it is found: the key `answer`.
    package struct Answer: Sendable, Equatable {
        package enum Method: Sendable, Equatable {
            case notification
            /// The answer is read this long after the question was written.
            case read(after: Duration)
        }

        /// A frame with a special meaning, and where it arrives.
        package struct Mark: Sendable, Equatable {
            package let source: Place
            package let frame: FrameShape

            package init(source: Place, frame: FrameShape) {
                self.source = source
                self.frame = frame
            }
        }

        /// The number of frames of an answer.
        package enum Count: Sendable, Equatable {
            case formula(Expression)
            /// The byte at this position of each frame contains the number.
            case byte(at: Int)
        }

        /// The number of each frame in its series, which rises by 1.
        package struct Sequence: Sendable, Equatable {
            package let position: Int
            package let first: Int

            package init(at position: Int, first: Int) {
                self.position = position
                self.first = first
            }
        }

        /// The longest answer of several frames, in bytes.
        package static let longestSeries = 32 * 1024

        package var source: Place
        package var method: Method
        package var frame: FrameShape
        /// The number of frames; nil: one frame, or up to the end of the series.
        package var count: Count?
        package var sequence: Sequence?
        /// The part of each frame that is joined with the others; nil: all bytes.
        package var joined: Range<Int>?
        /// The frame that ends a series.
        package var end: Mark?
        /// The silence that ends a series.
        package var idle: Duration?
        /// The frame that means no.
        package var refusal: Mark?
        /// How long the first frame may take, and each further one.
        package var within: Duration

        package init(
            source: Place, method: Method = .notification, frame: FrameShape = FrameShape(), count: Count? = nil,
            sequence: Sequence? = nil, joined: Range<Int>? = nil, end: Mark? = nil, idle: Duration? = nil,
            refusal: Mark? = nil, within: Duration = .seconds(2)
        ) {
            self.source = source
            self.method = method
            self.frame = frame
            self.count = count
            self.sequence = sequence
            self.joined = joined
            self.end = end
            self.idle = idle
            self.refusal = refusal
            self.within = within
        }

        /// The characteristics on which frames arrive as notifications.
        package var channels: [Place] {
            guard method == .notification else { return [] }
            return [source] + [end, refusal].compactMap { $0?.source }.filter { $0 != source }
        }

        /// The formulas of the answer.
        package var formulas: [Expression] {
            var found = frame.formulas
            if case .formula(let formula)? = count { found.append(formula) }
            return found + (end?.frame.formulas ?? []) + (refusal?.frame.formulas ?? [])
        }
    }
}

extension Configuration.Place: CustomStringConvertible {
    /// The characteristic with its service, if the configuration names one: `FFF0/FFF1`.
    package var description: String {
        service.map { "\($0)/\(characteristic)" } ?? "\(characteristic)"
    }
}
