package import DeepLinkCore

/// A value that a request may name by a field of its own and by a header: by one of them, or by both the same.
package struct NamedTwice {
    private let field: String
    private let header: String

    /// The noun for the values, in the plural.
    private let values: String

    /// Creates the names of a value.
    package init(field: String, header: String, values: String) {
        self.field = field
        self.header = header
        self.values = values
    }

    /// Returns the value; `nil` if neither has one.
    ///
    /// - Throws: ``Problem`` of code `invalid-request` if the two differ.
    package func value<Value: Equatable>(_ byField: Value?, byHeader: Value?) throws(Problem) -> Value? {
        if let byField, let byHeader, byField != byHeader {
            throw .invalidRequest(
                field: field,
                reason: .conflict,
                detail: "`\(field)` and the header `\(header)` name different \(values); name one."
            )
        }
        return byField ?? byHeader
    }
}

/// The app that a request comes from: named once, or twice the same.
package enum RequestedApp {
    /// The version of an app that does not know its own.
    private static let unknownVersion = VersionNumber("0")

    /// The platform of a page in a browser.
    private static let page = "browser/"

    /// Finds the app that the request's own fields or its header `Waymark-App` name; `nil` where neither does, and for an
    /// app without a known version.
    ///
    /// - Throws: ``Problem`` if one isn't a version of an app, or the two differ.
    package static func app(_ named: String?, header: String?) throws(Problem) -> AppVersion? {
        // Nearly always.
        if named == nil, header == nil { return nil }
        let byField = try named.map { text throws(Problem) in try app(text, field: "app") }
        let byHeader = try header.map { text throws(Problem) in try app(text, field: "Waymark-App") }
        return try NamedTwice(field: "app", header: "Waymark-App", values: "versions")
            .value(byField, byHeader: byHeader) ?? nil
    }

    /// Reads a version of an app; `nil` for the version 0, of an app that does not know its own, and for a page in a
    /// browser, of which no place requires a version.
    package static func app(_ text: String, field: String) throws(Problem) -> AppVersion? {
        if let app = AppVersion(text) { return app.number == unknownVersion ? nil : app }
        let version = text.utf8.dropFirst(page.utf8.count)
        guard text.utf8.starts(with: page.utf8), VersionNumber(String(Substring(version))) != nil else {
            throw .invalidRequest(
                field: field,
                reason: .invalidValue,
                detail:
                    "`\(field)` isn't a version of an app; send a platform and one to \(VersionNumber.maximumCount) numbers, such "
                    + "as `ios/3.1.0`."
            )
        }
        return nil
    }
}
