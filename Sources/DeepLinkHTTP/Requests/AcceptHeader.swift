/// Reads `Accept` (RFC 9110 §12.5.1) to answer one question, whether the answer may be of a type.
enum AcceptHeader {
    /// Tells whether a media type is acceptable; without a field, everything is.
    ///
    /// The most specific range that fits decides, and its weight must not be zero.
    static func allows(_ type: MediaType, _ fields: [String]) -> Bool {
        guard fields.contains(where: { !$0.isEmpty }) else { return true }
        var best = (specificity: 0, isAllowed: false)
        for range in fields.joined(separator: ",").split(separator: ",") {
            let parts = range.split(separator: ";").map { part in part.filter { $0 != " " && $0 != "\t" }.lowercased() }
            let specificity =
                switch parts.first {
                case type.rawValue: 3
                case "application/*": 2
                case "*/*": 1
                default: 0
                }
            guard specificity > best.specificity else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            best = (specificity, weight > 0)
        }
        return best.isAllowed
    }
}
