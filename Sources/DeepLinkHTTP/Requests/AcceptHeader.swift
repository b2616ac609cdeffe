import DeepLinkFormats

/// The header field `Accept` (RFC 9110 §12.5.1), read for whether an answer may be of a type.
enum AcceptHeader {
    /// Returns whether a media type is acceptable; without a field, every type is.
    ///
    /// The most specific range that matches decides, and its weight must not be zero.
    ///
    /// - Complexity: linear in the bytes of the fields.
    static func allows(_ type: MediaType, by fields: FieldValues) -> Bool {
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

    /// Returns the specificity of a media range for a type: 3 for the type itself, 2 for its first half, 1 for every
    /// type, 0 for others.
    private static func specificity(of range: Substring.UTF8View, for type: MediaType) -> Int {
        if range.isWord(type.essence) { return 3 }
        if range.isWord(type.range) { return 2 }
        return range.isWord("*/*") ? 1 : 0
    }

    /// Returns whether a parameter is a weight of zero (RFC 9110 §12.4.2): `q=0`, with up to three zeros after a dot.
    private static func isZeroWeight(_ parameter: Substring.UTF8View) -> Bool {
        guard parameter.prefix(2).isWord("q=") else { return false }
        let weight = parameter.dropFirst(2)
        return weight.first == UInt8(ascii: "0")
            && weight.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }
}
