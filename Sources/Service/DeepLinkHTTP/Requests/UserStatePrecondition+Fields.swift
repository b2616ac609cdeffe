import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer

extension UserStatePrecondition {
    /// Reads the precondition from the fields `If-Match` (RFC 9110 §13.1.1) and `If-None-Match` (§13.1.2) of a request.
    ///
    /// Without either, there is none.
    ///
    /// - Throws: `Problem` if one isn't a list of entity tags, or if both are present.
    init(_ fields: borrowing RequestFields) throws(Problem) {
        switch (fields.ifMatch.joined, fields.ifNoneMatch.joined) {
        case (nil, nil): self = .none
        case (let value?, nil):
            // The comparison is strong (RFC 9110 §8.8.3.2): a weak tag never matches.
            let tags = try EntityTags(value, field: "If-Match")
            self = tags.areAny ? .exists : .version(tags.strong)
        case (nil, let value?):
            let tags = try EntityTags(value, field: "If-None-Match")
            self = tags.areAny ? .absent : .otherVersion(tags.strong + tags.weak)
        case (_?, _?):
            throw .conflict(
                field: "If-None-Match",
                detail: "`If-Match` asks for a state, and `If-None-Match` for none; send one of them."
            )
        }
    }
}

/// The entity tags that a field lists, as versions.
private struct EntityTags {
    private static let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))

    /// Whether the field is `*` and matches any tag.
    let areAny: Bool

    /// The versions of strong and of weak tags.
    ///
    /// Tags that aren't a version match nothing.
    private(set) var (strong, weak): ([Int], [Int]) = ([], [])

    init(_ value: String, field: String) throws(Problem) {
        var rest = Substring(value).utf8.withoutSpaceAround
        areAny = rest.elementsEqual("*".utf8)
        guard !areAny else { return }
        let malformed = Problem.malformed(
            field: field,
            detail: "`\(field)` isn't an entity tag; send the `ETag` of the state, such as \"3\" with its quotes."
        )
        // An empty list indicates that the client has lost the tag it meant.
        guard !rest.isEmpty else { throw malformed }
        while !rest.isEmpty {
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == Self.quote, let end = rest.dropFirst().firstIndex(of: Self.quote) else {
                throw malformed
            }
            if let version = DecimalText.parseInt(rest[..<end].dropFirst()) {
                if isWeak { weak.append(version) } else { strong.append(version) }
            }
            rest = rest[rest.index(after: end)...].withoutSpaceAround
            guard rest.isEmpty || rest.first == Self.comma else { throw malformed }
            while rest.first == Self.comma { rest = rest.dropFirst().withoutSpaceAround }
        }
    }
}
