/// An instant in milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// The core reads no clock, so the caller passes the current time.
///
/// ```swift
/// let end = Timestamp(rfc3339: "2027-01-01T01:00:00+01:00")
/// end?.rfc3339  // "2027-01-01T00:00:00Z"
/// Timestamp(millisecondsSinceEpoch: 0) < Timestamp(millisecondsSinceEpoch: 1)  // true
/// ```
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, or negative before it.
    public let millisecondsSinceEpoch: Int64

    /// Creates an instant from its distance to the epoch, 1970-01-01T00:00:00Z.
    ///
    /// ```swift
    /// Timestamp(millisecondsSinceEpoch: 1_500).rfc3339  // "1970-01-01T00:00:01.500Z"
    /// ```
    public init(millisecondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = millisecondsSinceEpoch
    }

    /// Parses an RFC 3339 date-time such as `2027-01-01T00:00:00Z`, or returns `nil` for any other text.
    ///
    /// The offset is applied, digits beyond milliseconds are dropped, and a leap second counts as the second before it.
    ///
    /// ```swift
    /// Timestamp(rfc3339: "1970-01-01T00:00:01Z")?.millisecondsSinceEpoch  // 1000
    /// Timestamp(rfc3339: "tomorrow")  // nil
    /// ```
    public init?(rfc3339 text: String) {
        guard let (dateTime, _) = CalendarDateTime.parse(Array(text.utf8)) else { return nil }
        self = dateTime
    }

    /// The instant in RFC 3339 form, in UTC, with milliseconds if they are not zero.
    public var rfc3339: String {
        let seconds = millisecondsSinceEpoch.flooredQuotient(by: 1000)
        let milliseconds = Int(millisecondsSinceEpoch - seconds * 1000)
        let days = seconds.flooredQuotient(by: 86_400)
        let time = Int(seconds - days * 86_400)
        let date = CalendarDate(daysSinceEpoch: Int(days))
        var text = "\(padded(date.year, width: 4))-\(padded(date.month, width: 2))-\(padded(date.day, width: 2))"
        text += "T\(padded(time / 3600, width: 2)):\(padded(time / 60 % 60, width: 2)):\(padded(time % 60, width: 2))"
        if milliseconds > 0 { text += ".\(padded(milliseconds, width: 3))" }
        return text + "Z"
    }

    private func padded(_ number: Int, width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Orders the earlier instant first.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.millisecondsSinceEpoch < right.millisecondsSinceEpoch
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// A day of the proleptic Gregorian calendar, years 0 to 9999 (RFC 3339 `full-date`).
struct CalendarDate {
    let year: Int
    let month: Int
    let day: Int

    /// Creates a date, or returns `nil` if it does not exist, such as the 30th of February.
    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.dayCount(month: month, year: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the date at a number of days from 1970-01-01.
    ///
    /// The computation counts eras of 400 years that begin in March, so that the leap day is the last of its year.
    init(daysSinceEpoch: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The distance from 1970-01-01 in days.
    var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Parses `YYYY-MM-DD`.
    static func parse(_ bytes: some Collection<UInt8>) -> CalendarDate? {
        let bytes = Array(bytes)
        guard bytes.count == 10, bytes[4] == ASCII.minus, bytes[7] == ASCII.minus,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10])
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    /// Parses a run of at most 9 digits.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 9, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }

    private static func dayCount(month: Int, year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// The grammar of RFC 3339 date-times (§5.6).
enum CalendarDateTime {
    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    private static let firstSecond: Int64 = -62_167_219_200
    private static let lastSecond: Int64 = 253_402_300_799

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
        let seconds = Int64(minutes) * 60 + Int64(min(second, 59))
        // RFC 3339 has four digits for the year, in UTC too.
        guard (firstSecond...lastSecond).contains(seconds) else { return nil }
        return (Timestamp(millisecondsSinceEpoch: seconds * 1000 + Int64(milliseconds)), offset)
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

/// A day in UTC, under which uses of links are counted.
package struct CountedDay: Hashable, Comparable, Sendable {
    /// The length of a day, in milliseconds.
    private static let length: Int64 = 86_400_000

    /// The number of days since 1970-01-01.
    package let number: Int

    /// Creates the day with a number of days since 1970-01-01.
    package init(number: Int) { self.number = number }

    /// Creates the day of a time.
    package init(of time: Timestamp) {
        let (quotient, rest) = time.millisecondsSinceEpoch.quotientAndRemainder(dividingBy: Self.length)
        number = Int(rest < 0 ? quotient - 1 : quotient)
    }

    /// Parses a valid date in the form `YYYY-MM-DD`.
    ///
    /// Returns `nil` for any other text.
    package init?(_ text: String) {
        guard text.utf8.count == 10, let time = Timestamp(rfc3339: text + "T00:00:00Z") else { return nil }
        self.init(of: time)
    }

    /// The day as `YYYY-MM-DD`.
    package var text: String {
        String(Timestamp(millisecondsSinceEpoch: Int64(number) * Self.length).rfc3339.utf8.prefix(10)) ?? ""
    }

    /// Returns the day at a distance in days.
    package func advanced(by days: Int) -> CountedDay { CountedDay(number: number + days) }

    /// Orders the earlier day first.
    package static func < (left: CountedDay, right: CountedDay) -> Bool { left.number < right.number }
}
