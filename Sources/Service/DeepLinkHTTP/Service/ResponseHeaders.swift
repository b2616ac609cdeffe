import HTTPTypes

/// The header fields that every response has.
enum ResponseHeaders {
    /// A policy that keeps browsers from running or framing anything, even if an answer repeats parts of a link; pages
    /// have a policy of their own.
    private static let policy = "default-src 'none'; frame-ancestors 'none'"

    /// Adds the fields to those of one response.
    static func complete(_ fields: inout HTTPFields) {
        // Browsers must not guess a type either.
        fields[.xContentTypeOptions] = "nosniff"
        if fields[.contentSecurityPolicy] == nil { fields[.contentSecurityPolicy] = policy }
        // An answer that depends on a user must not be stored (RFC 9111 §5.2.2.5); one that may be stored has its own
        // field.
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }
}
