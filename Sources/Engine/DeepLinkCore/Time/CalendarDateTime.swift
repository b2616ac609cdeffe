/// The grammar of RFC 3339 date-times (§5.6).
enum CalendarDateTime {
    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    private static let firstSecond = -62_167_219_200
    private static let lastSecond = 253_402_300_799

    /// Parses a date-time with its offset.
    ///
    /// - Returns: The time, and the offset in minutes east of UTC, or `nil` if the text isn't a date-time.
    static func parse(_ bytes: [UInt8]) -> (Timestamp, offset: Int)? {
        guard bytes.count >= 20, let date = CalendarDate.parse(bytes[0..<10]), bytes[10] | 0x20 == UInt8(ascii: "t"),
            bytes[13] == ASCII.colon, bytes[16] == ASCII.colon, let hour = CalendarDate.number(bytes[11..<13]),
            let minute = CalendarDate.number(bytes[14..<16]), let second = CalendarDate.number(bytes[17..<19]),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = bytes[19...]
        var milliseconds = 0
        if rest.first == ASCII.dot {
            let digits = rest.dropFirst().prefix(while: ASCII.isDigit)
            guard !digits.isEmpty else { return nil }
            milliseconds = (0..<3)
                .reduce(0) { sum, place in
                    sum * 10 + (place < digits.count ? Int(digits[digits.startIndex + place] - ASCII.zero) : 0)
                }
            rest = rest.dropFirst(digits.count + 1)
        }
        guard let offset = parseOffset(rest) else { return nil }
        let minutes = date.daysSinceEpoch * 1440 + hour * 60 + minute - offset
        // RFC 3339 §5.7: a leap second is the 61st of the last minute of a UTC day.
        guard second < 60 || (minutes + 1).isMultiple(of: 1440) else { return nil }
        let seconds = minutes * 60 + min(second, 59)
        // RFC 3339 has four digits for the year, in UTC too.
        guard (firstSecond...lastSecond).contains(seconds) else { return nil }
        return (Timestamp(millisecondsSinceEpoch: Int64(seconds) * 1000 + Int64(milliseconds)), offset)
    }

    private static func parseOffset(_ bytes: ArraySlice<UInt8>) -> Int? {
        if bytes.count == 1, let byte = bytes.first, byte | 0x20 == UInt8(ascii: "z") { return 0 }
        let start = bytes.startIndex
        guard bytes.count == 6, bytes[start + 3] == ASCII.colon,
            let hours = CalendarDate.number(bytes[start + 1..<start + 3]),
            let minutes = CalendarDate.number(bytes[start + 4..<start + 6]), hours < 24, minutes < 60
        else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case ASCII.minus: return -(hours * 60 + minutes)
        default: return nil
        }
    }
}
