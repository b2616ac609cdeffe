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
        var rest = value[...].drop(while: isSpace)
        if rest.hasPrefix("*"), rest.dropFirst().allSatisfy(isSpace) { return .exists }
        // A client that sends none has lost the tag it meant.
        guard !rest.isEmpty else { throw malformed }
        var versions: [Int] = []
        while !rest.isEmpty {
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { throw malformed }
            let tag = rest[..<end].dropFirst()
            if !isWeak, let version = Int(tag), tag == String(version) { versions.append(version) }
            rest = rest[rest.index(after: end)...].drop(while: isSpace)
            guard rest.isEmpty || rest.first == "," else { throw malformed }
            rest = rest.drop { isSpace($0) || $0 == "," }
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

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
}
