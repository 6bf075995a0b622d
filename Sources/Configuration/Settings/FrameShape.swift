package import Codec

extension Configuration {
    /// How a frame is found in the bytes that a device sends: a part of the key `answer`.
    package struct FrameShape: Sendable, Equatable {
        /// The beginning of the frame.
        package enum Start: Sendable, Equatable {
            /// One of these patterns; any bytes if the list is empty.
            case patterns([BytePattern])
            /// Bytes, each one the result of a formula over the members of the question.
            case formulas([Expression])
        }

        /// The number of bytes of the whole frame.
        package enum Length: Sendable, Equatable {
            /// A formula over the members of the question.
            case formula(Expression)
            /// A number in the frame itself.
            case field(LengthField)
        }

        /// A number in the frame: `number × factor + addend` is the length of the frame.
        package struct LengthField: Sendable, Equatable {
            /// The position of the number in the frame, from 0 on.
            package let position: Int
            /// The size of the number in bytes, 1 to 4.
            package let size: Int
            package let endian: Field.Endian
            package let factor: Int
            package let addend: Int

            package init(at position: Int, size: Int, endian: Field.Endian, times factor: Int, plus addend: Int) {
                self.position = position
                self.size = size
                self.endian = endian
                self.factor = factor
                self.addend = addend
            }
        }

        /// A checksum at the end of the frame, before the terminator.
        package struct Check: Sendable, Equatable {
            package let checksum: Checksum
            /// The size of the checksum in bytes, 1 to 8.
            package let size: Int
            package let endian: Field.Endian

            package init(_ checksum: Checksum, size: Int, endian: Field.Endian) {
                self.checksum = checksum
                self.size = size
                self.endian = endian
            }
        }

        /// The longest frame of a device, in bytes, and the default.
        package static let longest = 4096
        package static let defaultLimit = 1024

        package var start: Start
        package var length: Length?
        /// The bytes at the end of the frame; empty: none.
        package var terminator: [UInt8]
        package var check: Check?
        /// Whether the frame is text: patterns then apply to the start of each line.
        package var isText: Bool
        /// Whether each line of hexadecimal digits stands for bytes.
        package var isHexadecimal: Bool
        /// The longest frame in bytes.
        package var limit: Int

        package init(
            start: Start = .patterns([]), length: Length? = nil, terminator: [UInt8] = [], check: Check? = nil,
            isText: Bool = false, isHexadecimal: Bool = false, limit: Int = defaultLimit
        ) {
            self.start = start
            self.length = length
            self.terminator = terminator
            self.check = check
            self.isText = isText
            self.isHexadecimal = isHexadecimal
            self.limit = limit
        }

        /// Whether the frame begins with given bytes.
        package var hasStart: Bool { start != .patterns([]) }

        /// Returns the patterns with one of which the frame begins.
        ///
        /// - Parameter number: Returns the result of a formula; nil if it is not known.
        /// - Returns: The patterns; empty: any bytes; nil if a formula has no result.
        package func patterns(_ number: (Expression) -> Decimal?) -> [BytePattern]? {
            switch start {
            case .patterns(let patterns): return patterns
            case .formulas(let formulas):
                var bytes: [UInt8] = []
                for formula in formulas {
                    guard let value = number(formula)?.wholeNumber else { return nil }
                    bytes.append(UInt8(truncatingIfNeeded: value))
                }
                return [BytePattern(bytes: bytes)]
            }
        }

        /// The formulas of the shape.
        package var formulas: [Expression] {
            var found: [Expression] = []
            if case .formulas(let bytes) = start { found += bytes }
            if case .formula(let formula)? = length { found.append(formula) }
            return found
        }
    }
}

extension Configuration {
    /// The bytes at the end of a frame.
    package struct Terminator: Sendable, Equatable {
        package let bytes: [UInt8]
        /// Whether the frame is text.
        package let isText: Bool
    }
}
