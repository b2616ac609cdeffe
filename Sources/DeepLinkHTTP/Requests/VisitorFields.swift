/// What the fields of a request say of a visitor who may want a page.
struct VisitorFields: Sendable {
    /// The last `User-Agent`.
    var userAgent: String?

    /// The last `Accept-Language`.
    var acceptLanguage: String?
}
