package import DeepLinkCore

/// A value that a request can give in a field of its own or in a header.
///
/// If it gives both, they must be equal.
package struct FieldOrHeader {
    private let field: String
    private let header: String

    /// The plural noun for the values, for messages.
    private let values: String

    /// Creates a description of a value from the names of its field and its header.
    package init(field: String, header: String, values: String) {
        self.field = field
        self.header = header
        self.values = values
    }

    /// Returns the value, or `nil` if neither the field nor the header is present.
    ///
    /// - Throws: ``Problem`` of code `invalid-request` if the two differ.
    @inlinable
    package func value<Value: Equatable>(_ byField: Value?, byHeader: Value?) throws(Problem) -> Value? {
        guard let byField, let byHeader else { return byField ?? byHeader }
        guard byField == byHeader else { throw conflict }
        return byField
    }

    /// The problem of two values that differ.
    @usableFromInline var conflict: Problem {
        .conflict(
            field: field,
            detail: "`\(field)` and the header `\(header)` name different \(values); name one."
        )
    }
}

/// The app that a request comes from, as given in the request's own fields, in a header, or in both.
package enum RequestedApp {
    /// The version that an app sends if it does not know its own version.
    private static let unknownVersion = VersionNumber("0")

    /// The platform of a page in a browser.
    private static let page = "browser/"

    /// Returns the app that the request's own fields or its header `Waymark-App` give.
    ///
    /// The result is `nil` if neither is present, or if the app does not know its version.
    ///
    /// - Throws: ``Problem`` if one isn't a version of an app, or the two differ.
    package static func app(_ named: String?, header: String?) throws(Problem) -> AppVersion? {
        // The usual case.
        if named == nil, header == nil { return nil }
        let byField = try named.map { text throws(Problem) in try app(text, field: "app") }
        let byHeader = try header.map { text throws(Problem) in try app(text, field: "Waymark-App") }
        return try FieldOrHeader(field: "app", header: "Waymark-App", values: "versions")
            .value(byField, byHeader: byHeader) ?? nil
    }

    /// Reads the version of an app.
    ///
    /// The result is `nil` for the version 0 of an app that does not know its version, and for a page in a browser,
    /// because no route requires a version of a page (decision record 54).
    package static func app(_ text: String, field: String) throws(Problem) -> AppVersion? {
        if let app = AppVersion(text) { return app.number == unknownVersion ? nil : app }
        let version = text.utf8.dropFirst(page.utf8.count)
        guard text.utf8.starts(with: page.utf8), VersionNumber(String(Substring(version))) != nil else {
            throw .invalidValue(
                field: field,
                detail:
                    "`\(field)` isn't a version of an app; send a platform and one to \(VersionNumber.maximumCount) numbers, such "
                    + "as `ios/3.1.0`."
            )
        }
        return nil
    }
}
