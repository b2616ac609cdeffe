import HTTPTypes

/// The header fields that every response has.
enum ResponseHeaders {
    /// Keeps browsers from guessing a type.
    private static let all: HTTPFields = [.xContentTypeOptions: "nosniff"]

    /// Keeps browsers from running or framing anything, whatever an answer repeats of a link; a page has a policy of its
    /// own.
    private static let policy = "default-src 'none'; frame-ancestors 'none'"

    /// Adds the fields to those of one response.
    static func complete(_ fields: inout HTTPFields) {
        fields.append(contentsOf: all)
        if fields[.contentSecurityPolicy] == nil {
            fields.append(HTTPField(name: .contentSecurityPolicy, value: policy))
        }
        // What depends on a user is kept nowhere (RFC 9111 §5.2.2.5); who may be kept says so.
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }
}
