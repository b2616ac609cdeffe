import DeepLinkCore
import DeepLinkFormats
import HTTPServer
import HTTPTypes

/// The rules for pages of other origins that may send requests and read responses (Fetch Standard §3.2).
///
/// Requests with cookies are never allowed. The service uses none, since tokens are in `Authorization`.
package struct CrossOriginRules: Sendable {
    /// The wildcard for all origins.
    private static let anyOrigin = "*"

    /// The header fields that pages may send (Fetch Standard §3.2.3).
    private static let requestFields = """
        Content-Type, Idempotency-Key, If-Match, If-None-Match, Waymark-App, Waymark-User, Waymark-User-Version, X-Request-Id
        """

    /// The header fields that pages may read in addition to the ones always allowed.
    private static let responseFields = "ETag, Retry-After, WWW-Authenticate, Waymark-Signature, X-Request-Id"

    /// The time for which a browser may cache the permissions, in seconds.
    private static let maximumAge = "600"

    private let origins: Set<ByteText>

    /// Whether pages of all origins may send the requests that need no credentials.
    package let allowsAny: Bool

    /// Creates the rules for origins, or returns `nil` without any.
    ///
    /// - Throws: ``InvalidOriginError`` for a text that isn't an origin in the form that browsers send.
    package init?(_ origins: [String]) throws(InvalidOriginError) {
        guard !origins.isEmpty else { return nil }
        for text in origins where text.bytewise != "*" && !Self.isOrigin(text) { throw InvalidOriginError(text: text) }
        self.origins = Set(origins.map(\.bytewise))
        allowsAny = self.origins.contains(Self.anyOrigin.bytewise)
    }

    /// Returns whether a text is a scheme, a host and possibly a port, in lower case (RFC 6454 §6.2).
    private static func isOrigin(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].starts(with: "//".utf8) else { return false }
        let authority = parts[1].dropFirst(2)
        let excluded = Array("/?#@*\\".utf8)
        return !authority.isEmpty
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            && authority.allSatisfy { !excluded.contains($0) }
    }

    /// Returns whether a request is a preflight that asks whether another request may be sent.
    ///
    /// It carries and needs no credentials.
    func isPreflight(_ head: RequestHead) -> Bool {
        head.method == .options && head.fields.asksForMethod && allowed(head) != nil
    }

    /// Returns the `Access-Control-Allow-Origin` for a request, or `nil` for none.
    private func allowed(_ head: RequestHead) -> String? {
        guard let origin = head.fields.origin else { return nil }
        if origins.contains(origin.bytewise) { return origin }
        // A response that all origins may read must not depend on credentials.
        return allowsAny && head.fields.authorization.count == 0 ? Self.anyOrigin : nil
    }

    /// Returns the fields of a response to a request, or to bytes that aren't one.
    ///
    /// - Parameters:
    ///   - head: the head of the request.
    ///   - methods: the response's `Allow`.
    ///   - takesHolds: whether the catalog has levels or grants that an app asserts.
    /// - Returns: `Vary`, and the permission for the page to read the response, if it has one.
    func fields(for head: RequestHead?, allow methods: String?, takesHolds: Bool) -> HTTPFields {
        var fields: HTTPFields = [.vary: "Origin"]
        guard let head, let origin = allowed(head) else { return fields }
        fields[.accessControlAllowOrigin] = origin
        guard isPreflight(head) else {
            fields[.accessControlExposeHeaders] = Self.responseFields
            return fields
        }
        fields[.accessControlAllowMethods] = methods
        let requestFields = takesHolds ? Self.requestFields + ", Waymark-Holds" : Self.requestFields
        fields[.accessControlAllowHeaders] =
            origin.bytewise == "*" ? requestFields : "Authorization, " + requestFields
        fields[.accessControlMaxAge] = Self.maximumAge
        return fields
    }
}

/// The error for a text that isn't an origin.
package struct InvalidOriginError: Error {
    /// The rejected text, as in the settings.
    package let text: String
}
