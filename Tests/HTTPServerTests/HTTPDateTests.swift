import Testing

@testable import HTTPServer

/// Tests of the header field `Date`.
@Suite struct HTTPDateTests {
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"), (1_795_000_000, "Wed, 18 Nov 2026 11:06:40 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `a date has the form of RFC 9110`(_ second: Int64, _ text: String) {
        var date = HTTPDate()
        #expect(date.string(at: second) == text)
    }
}
