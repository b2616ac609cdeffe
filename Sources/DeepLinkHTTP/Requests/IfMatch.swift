import DeepLinkCore
import HTTPTypes

/// Reads `If-Match` (RFC 9110 §13.1.1) as the versions that a user's state may have.
enum IfMatch {
    /// Reads the header fields of a request; no field is no precondition.
    ///
    /// A weak tag never matches, since the comparison is strong (RFC 9110 §8.8.3.2).
    ///
    /// - Throws: ``Problem`` where the field is no list of entity tags.
    static func precondition(_ headers: HTTPFields) throws(Problem) -> UserStatePrecondition {
        guard let value = headers[.ifMatch] else { return .none }
        let tags = value.split(separator: ",")
            .map { tag in
                String(tag.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
            }
        if tags == ["*"] { return .exists }
        var versions: [Int] = []
        for tag in tags {
            let isWeak = tag.hasPrefix("W/")
            let opaque = isWeak ? tag.dropFirst(2) : tag[...]
            guard opaque.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\"") else {
                throw .invalidRequest(
                    field: "If-Match",
                    .malformed,
                    "`If-Match` is no entity tag; send the `ETag` of the state, such as \"3\" with its quotes."
                )
            }
            if !isWeak, let version = Int(opaque.dropFirst().dropLast()) { versions.append(version) }
        }
        return .version(versions)
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
}
