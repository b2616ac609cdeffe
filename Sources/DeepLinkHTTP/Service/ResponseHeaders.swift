import HTTPTypes

/// The header fields that every response has.
enum ResponseHeaders {
    /// Keeps browsers from guessing a type, and from running or framing anything, whatever an answer repeats of a
    /// link; nothing here is a page.
    private static let all: HTTPFields = [
        .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
    ]

    /// Adds the fields to those of one response.
    static func complete(_ fields: inout HTTPFields) {
        fields.append(contentsOf: all)
        // What depends on a user is kept nowhere (RFC 9111 §5.2.2.5); who may be kept says so.
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }
}
