import DeepLinkCore

/// An expiry, as a time or as a duration from now.
enum ExpiryArgument {
    private static let milliseconds: [UInt8: Int64] = [
        UInt8(ascii: "m"): 60_000, UInt8(ascii: "h"): 3_600_000, UInt8(ascii: "d"): 86_400_000,
    ]

    /// The longest duration, in days.
    private static let maximumDayCount: Int64 = 36_500

    /// Reads a text such as `2027-01-01T00:00:00Z`, `90d`, `12h` or `30m`.
    ///
    /// - Throws: ``CommandError`` of code 64 for any other text, and for a time in the past.
    static func moment(_ text: String, from now: Timestamp) throws(CommandError) -> Timestamp {
        guard let moment = Timestamp(rfc3339: text) ?? later(text, at: now) else {
            throw CommandError.usage(
                "`\(text)` isn't an expiry. Write a time such as 2027-01-01T00:00:00Z, or a duration from now such as 90d."
            )
        }
        guard moment > now else { throw CommandError.usage("\(moment.rfc3339) has passed already.") }
        return moment
    }

    /// Reads a duration before now, such as `7d`, or returns `nil` for any other text.
    static func moment(_ text: String, before now: Timestamp) -> Timestamp? {
        distance(text).map { Timestamp(millisecondsSinceEpoch: now.millisecondsSinceEpoch - $0) }
    }

    private static func later(_ text: String, at now: Timestamp) -> Timestamp? {
        distance(text).map { Timestamp(millisecondsSinceEpoch: now.millisecondsSinceEpoch + $0) }
    }

    /// Reads a duration, in milliseconds.
    private static func distance(_ text: String) -> Int64? {
        guard let unit = text.utf8.last.flatMap({ milliseconds[$0] }),
            let count = Int64(Substring(text.utf8.dropLast())), count > 0, count <= maximumDayCount * 86_400_000 / unit
        else { return nil }
        return count * unit
    }
}
