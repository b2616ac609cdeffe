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
