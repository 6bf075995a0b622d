import Testing

@testable import Codec

/// The value `now` of the standard clocks.
@Suite struct LocalMomentTests {
    /// 2026-07-04T23:30:00.750Z, in a zone of UTC+1 with daylight saving time: 2026-07-05T01:30:00.750, a Sunday.
    private static let summer = LocalMoment(milliseconds: 1_783_207_800_750, offset: 7200, daylight: 3600)

    @Test(arguments: [
        // Year, month, day, hours, minutes, seconds; day of the week; 1/256 s; adjust reason.
        ("current_time", "ea070705011e0007c002"), ("exact_time_256", "ea070705011e0007c0"),
        ("day_date_time", "ea070705011e0007"), ("date_time", "ea070705011e00"),
        // Quarters of an hour of the standard time, and one hour of daylight saving time.
        ("local_time_information", "0404"),
    ])
    func `now is the local time of the gateway`(name: String, hex: String) throws {
        let format = try #require(Characteristics.definition(named: name)).format
        #expect(format.isClock)
        #expect(try format.encode("now", at: Self.summer).hexadecimal == hex)
    }

    @Test(arguments: [
        (-10_800, 0, "f400"), (20_700, 0, "1700"), (37_800, 1800, "2802"), (0, -3600, "0000"), (1234, 0, "8000"),
    ])
    func `time zones of all kinds`(offset: Int, daylight: Int, hex: String) throws {
        let format = try #require(Characteristics.definition(named: "local_time_information")).format
        let moment = LocalMoment(milliseconds: 1_783_207_800_750, offset: offset, daylight: daylight)
        #expect(try format.encode("now", at: moment).hexadecimal == hex)
    }

    @Test func `a time that is not the present one, and a text, do not know now`() throws {
        for name in ["time_with_dst", "date_of_birth", "reference_time_information", "device_time"] {
            #expect(try #require(Characteristics.definition(named: name)).format.isClock == false)
        }
        #expect(try Format([.text("text")]).encode("now", at: Self.summer) == Array("now".utf8))
        #expect(throws: EncodingError.self) {
            try #require(Characteristics.definition(named: "date_utc")).format.encode("now", at: Self.summer)
        }
    }

    @Test func `other values of a clock are written as given`() throws {
        let format = try #require(Characteristics.definition(named: "date_time")).format
        #expect(try format.encode("2026-07-05T01:30:00", at: Self.summer).hexadecimal == "ea070705011e00")
    }
}
