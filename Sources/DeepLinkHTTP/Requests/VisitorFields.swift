/// What the fields of a request say of a visitor who may want a page.
struct VisitorFields: Sendable {
    /// The last `User-Agent`.
    var userAgent: String?

    /// The last `Accept-Language`.
    var acceptLanguage: String?

    /// Returns whether pages are possible at a target: not below `/v1`, where the API is.
    static func areWanted(forTarget target: Span<UInt8>) -> Bool {
        target.count < 4 || target[1] != UInt8(ascii: "v") || target[2] != UInt8(ascii: "1")
            || target[3] != UInt8(ascii: "/")
    }
}
