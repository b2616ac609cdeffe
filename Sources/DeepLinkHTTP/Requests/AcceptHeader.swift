import DeepLinkFormats

/// The question that `Accept` (RFC 9110 §12.5.1) is read for: whether an answer may be of a type.
enum AcceptHeader {
    /// Returns whether a media type is acceptable; without a field, everything is.
    ///
    /// The most specific range that fits decides, and its weight must not be zero.
    ///
    /// - Complexity: linear in the bytes of the fields.
    static func allows(_ type: MediaType, _ fields: FieldValues) -> Bool {
        guard fields.contains(where: { !$0.isEmpty }) else { return true }
        var best = (specificity: 0, isAllowed: false)
        for field in fields.all {
            for range in FieldParts(of: field, at: ",") {
                var parts = FieldParts(range, at: ";")
                guard let essence = parts.next() else { continue }
                let specificity = specificity(of: essence, for: type)
                guard specificity > best.specificity else { continue }
                best = (specificity, !parts.contains(where: isZeroWeight))
            }
        }
        return best.isAllowed
    }

    /// How closely a media range fits a type: 3 names it, 2 its first half, 1 everything, 0 another.
    private static func specificity(of range: Substring.UTF8View, for type: MediaType) -> Int {
        if range.isWord(type.rawValue) { return 3 }
        if range.isWord(type.kind) { return 2 }
        return range.isWord("*/*") ? 1 : 0
    }

    /// Returns whether a parameter is a weight of zero (RFC 9110 §12.4.2): `q=0`, with up to three zeros behind a dot.
    private static func isZeroWeight(_ parameter: Substring.UTF8View) -> Bool {
        guard parameter.prefix(2).isWord("q=") else { return false }
        let weight = parameter.dropFirst(2)
        return weight.first == UInt8(ascii: "0")
            && weight.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }
}
