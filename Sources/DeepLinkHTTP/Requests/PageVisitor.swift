import DeepLinkCore
import DeepLinkFormats

/// A visitor who asks for the page of a web link, and not its plan: a browser, or a preview bot.
struct PageVisitor: Sendable {
    /// Whether it is a browser, which may be redirected; otherwise it is a preview bot.
    let isBrowser: Bool

    /// The visitor's languages, as in its field `Accept-Language`.
    let acceptLanguage: String?

    /// Recognizes a visitor by its fields; `nil` for a program.
    ///
    /// A client that has credentials, names a user or asks for JSON is a program. A browser names `text/html`. A
    /// preview bot mostly sends `*/*`, or nothing, and is known by its name.
    init?(accepting accept: FieldValues, authorization: FieldValues, user: FieldValues, visitor: VisitorFields) {
        guard authorization.count == 0, user.count == 0 else { return nil }
        let accepts = accept.contains { Self.names("text/html", in: $0) }
        guard accepts || visitor.userAgent != nil,
            !accept.contains(where: { Self.names("application/json", in: $0) })
        else { return nil }
        let makesPreviews = visitor.userAgent.map { PreviewBots.names($0) } ?? false
        guard accepts || makesPreviews else { return nil }
        isBrowser = !makesPreviews
        acceptLanguage = visitor.acceptLanguage
    }

    /// Returns whether a field names a type, with a weight that is not zero.
    private static func names(_ type: String, in field: String) -> Bool {
        // Most fields don't contain the type's bytes at all, and are read no further.
        guard has(type, in: field) else { return false }
        return FieldParts(of: field, at: ",")
            .contains { range in
                var parts = FieldParts(range, at: ";")
                guard parts.next()?.isWord(type) == true else { return false }
                return !parts.contains { part in
                    part.prefix(2).isWord("q=")
                        && part.dropFirst(2).allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
                }
            }
    }

    private static func has(_ word: String, in field: String) -> Bool {
        let bytes = field.utf8Span.span
        let word = word.utf8Span.span
        guard bytes.count >= word.count else { return false }
        for start in 0...(bytes.count - word.count) where ASCII.lowercased(bytes[start]) == word[0] {
            if ASCII.equalIgnoringCase(bytes.extracting(start..<start + word.count), word) { return true }
        }
        return false
    }
}
