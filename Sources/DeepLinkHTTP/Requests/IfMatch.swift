import DeepLinkCore
import DeepLinkFormats

/// The versions that `If-Match` (RFC 9110 §13.1.1) lets a user's state have.
enum IfMatch {
    /// Reads the header fields of a request; no field is no precondition.
    ///
    /// A weak tag never matches, since the comparison is strong (RFC 9110 §8.8.3.2).
    ///
    /// - Throws: `Problem` where the field is no list of entity tags.
    static func precondition(_ fields: FieldValues) throws(Problem) -> UserStatePrecondition {
        guard let value = fields.joined else { return .none }
        var rest = Substring(value).utf8.withoutSpaceAround
        if rest.elementsEqual("*".utf8) { return .exists }
        // A client that sends none has lost the tag it meant.
        guard !rest.isEmpty else { throw malformed }
        var versions: [Int] = []
        while !rest.isEmpty {
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == quote, let end = rest.dropFirst().firstIndex(of: quote) else { throw malformed }
            if !isWeak, let version = DecimalText.parseInt(rest[..<end].dropFirst()) { versions.append(version) }
            rest = rest[rest.index(after: end)...].withoutSpaceAround
            guard rest.isEmpty || rest.first == comma else { throw malformed }
            while rest.first == comma { rest = rest.dropFirst().withoutSpaceAround }
        }
        return .version(versions)
    }

    private static var malformed: Problem {
        .invalidRequest(
            field: "If-Match",
            .malformed,
            "`If-Match` is no entity tag; send the `ETag` of the state, such as \"3\" with its quotes."
        )
    }

    private static let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
}
