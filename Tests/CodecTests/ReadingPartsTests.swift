import Codec
import Testing

@Suite struct ReadingPartsTests {
    private let format: Format

    init() throws {
        format = try #require(Characteristics.definition(named: "cross_trainer_data")).format
    }

    /// Returns the reading that a notification completes.
    private func take(_ hex: String, _ parts: inout ReadingParts) throws -> Value? {
        let bytes = try HexadecimalText(hex).bytes
        return parts.join(try format.decode(bytes), isLast: !format.announcesMore(bytes.span))?.value
    }

    // The first part has the distance and announces more; the second part has the speed.
    private static let first = "050000 2a0000"
    private static let last = "000000 e803"

    @Test func `ReadingParts joins notifications until the last part`() throws {
        var parts = ReadingParts()
        #expect(try take(Self.first, &parts) == nil)
        let whole = try take(Self.last, &parts)
        #expect(
            whole == [
                "total_distance": 42, "movement_direction": .named("forward", number: 0), "instantaneous_speed": 10,
            ])
        #expect(
            try take(Self.last, &parts)
                == ["movement_direction": .named("forward", number: 0), "instantaneous_speed": 10])
    }

    @Test func `ReadingParts drops a reading whose last part was lost`() throws {
        var parts = ReadingParts()
        #expect(try take("090000 0a00 0a00", &parts) == nil)
        #expect(try take(Self.first, &parts) == nil)
        #expect(try take("050000 2b0000", &parts) == nil)
        let whole = try take(Self.last, &parts)
        #expect(
            whole == [
                "total_distance": 43, "movement_direction": .named("forward", number: 0), "instantaneous_speed": 10,
            ])
    }

    @Test func `ReadingParts passes other characteristics unchanged`() throws {
        let other = try #require(Characteristics.definition(named: "heart_rate_measurement")).format
        #expect(!other.isInParts)
        let bytes: [UInt8] = [0x01, 0x48, 0x00]
        let announcesMore = other.announcesMore(bytes.span)
        #expect(!announcesMore)
    }
}
