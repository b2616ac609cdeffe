package import DeepLinkCore

/// The app that a request comes from: named once, or twice the same.
package enum RequestedApp {
    /// Finds the app that the request's own fields or its header `Waymark-App` name; `nil` if neither does.
    ///
    /// - Throws: ``Problem`` if one isn't a version of an app, or the two differ.
    package static func app(_ named: String?, header: String?) throws(Problem) -> AppVersion? {
        // Nearly always.
        if named == nil, header == nil { return nil }
        let byField = try named.map { text throws(Problem) in try app(text, field: "app") }
        let byHeader = try header.map { text throws(Problem) in try app(text, field: "Waymark-App") }
        return try NamedTwice(field: "app", header: "Waymark-App", values: "versions")
            .value(byField, byHeader: byHeader)
    }

    /// Reads a version of an app.
    package static func app(_ text: String, field: String) throws(Problem) -> AppVersion {
        guard let app = AppVersion(text) else {
            throw .invalidRequest(
                field: field,
                reason: .invalidValue,
                detail:
                    "`\(field)` isn't a version of an app; send a platform and one to \(VersionNumber.maximumCount) numbers, such "
                    + "as `ios/3.1.0`."
            )
        }
        return app
    }
}
