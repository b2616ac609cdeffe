import DeepLinkCore
import Synchronization

/// The time in the format of the header field `Date` (RFC 9110 §5.6.7); the text is cached for its second, by each
/// connection and for new ones.
struct HTTPDate {
    /// The second that any connection wrote last, and its text.
    private static let newest = Mutex<(second: Int64, text: String)>((.min, ""))

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private var second: Int64?
    private var written = ""

    /// Returns the text of a time, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    mutating func string(at time: Timestamp) -> String {
        let second = time.millisecondsSinceEpoch / 1000
        if second == self.second { return written }
        self.second = second
        written = Self.newest.withLock { newest in
            if newest.second != second { newest = (second, Self.text(at: time)) }
            return newest.text
        }
        return written
    }

    private static func text(at time: Timestamp) -> String {
        let second = time.millisecondsSinceEpoch / 1000
        // The digits are those of RFC 3339, `1994-11-06T08:49:37Z`.
        let parts = Timestamp(millisecondsSinceEpoch: second * 1000).rfc3339.split { "-TZ".contains($0) }
        guard parts.count == 4, let month = Int(parts[1]), months.indices.contains(month - 1) else { return "" }
        // The first day of the epoch was a Thursday.
        let day = Int(((second / 86_400 + 4) % 7 + 7) % 7)
        return "\(days[day]), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]) GMT"
    }
}
