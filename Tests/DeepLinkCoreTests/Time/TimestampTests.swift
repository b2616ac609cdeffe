import DeepLinkCore
import Testing
import WaymarkTestSupport

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("2027-01-01T00:00:00Z", 1_798_761_600_000),
        ("2000-02-29T12:34:56.789Z", 951_827_696_789),
        ("1969-12-31T23:59:59.999Z", -1),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ("9999-12-31T23:59:59Z", 253_402_300_799_000),
    ])
    func `a moment in UTC reads and prints as RFC 3339`(_ text: String, _ milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.millisecondsSinceEpoch == milliseconds)
        #expect(Timestamp(millisecondsSinceEpoch: milliseconds).rfc3339 == text)
    }

    @Test(arguments: [
        ("2027-01-01T01:30:00+01:30", "2027-01-01T00:00:00Z"),
        ("2026-12-31t19:00:00-05:00", "2027-01-01T00:00:00Z"),
        ("2027-01-01T00:00:00.1239Z", "2027-01-01T00:00:00.123Z"),
        ("1990-12-31T23:59:60Z", "1990-12-31T23:59:59Z"),
        ("1990-12-31T15:59:60-08:00", "1990-12-31T23:59:59Z"),
    ])
    func `offsets count, and what does not fit is dropped`(_ text: String, _ utc: String) {
        #expect(Timestamp(rfc3339: text)?.rfc3339 == utc)
    }

    @Test(arguments: [
        "", "2027", "2027-01-01", "2027-01-01T00:00:00", "2027-01-01 00:00:00Z", "2027-13-01T00:00:00Z",
        "2027-02-29T00:00:00Z", "2027-01-01T24:00:00Z", "2027-01-01T00:60:00Z", "2027-01-01T00:00:61Z",
        "2027-01-01T00:00:00.Z", "2027-01-01T00:00:00+1:00", "2027-01-01T00:00:00+24:00", "+2027-01-01T00:00:00Z",
        "2027-01-01T12:00:60Z", "2027-01-01T00:00:00ZZ",
    ])
    func `any other text is no moment`(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `every moment reads back`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<10_000 {
            let time = Timestamp(
                millisecondsSinceEpoch: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator)
            )
            #expect(Timestamp(rfc3339: time.rfc3339) == time)
        }
    }
}
