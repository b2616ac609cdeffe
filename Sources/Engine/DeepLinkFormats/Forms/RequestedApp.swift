package import DeepLinkCore

extension Problem {
    /// Returns the problem of a request that gives a value in a field of its own, and another one in a header.
    ///
    /// - Parameters:
    ///   - field: The name of the field.
    ///   - header: The name of the header field.
    ///   - values: The plural noun for the values.
    /// - Returns: The problem of code `invalid-request`.
    package static func conflict(field: String, header: String, values: String) -> Problem {
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
        guard let byField, let byHeader else { return byField ?? byHeader ?? nil }
        guard byField == byHeader else {
            throw .conflict(field: "app", header: "Waymark-App", values: "versions")
        }
        return byField
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
