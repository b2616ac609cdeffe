import HTTPTypes

/// Reads `If-None-Match` (RFC 9110 §13.1.2): whether a client has what it asks for.
enum IfNoneMatch {
    /// Tells whether the header fields name an entity tag, which is written with its quotes.
    ///
    /// The comparison is weak: `W/"…"` names the same content.
    static func names(_ tag: String, _ headers: HTTPFields) -> Bool {
        let known = headers[values: .ifNoneMatch].joined(separator: ",").split(separator: ",")
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }
        return known.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
    }
}
