/// The rules for parameters with several query keys: each key has one reader, and no key opens the route.
enum KeyChecks {
    /// Returns issues for alternative keys that another parameter or route in the same stack reads.
    ///
    /// Without the rule a stack would have no link, since a key printed for one value would be read as another.
    ///
    /// - Complexity: linear in the number of keys.
    static func issues(
        of parameters: [Located<Parameter>],
        at address: RouteAddress,
        of route: Located<String>
    ) -> [CatalogIssue] {
        guard parameters.contains(where: { !$0.value.otherKeys.isEmpty }) else { return [] }
        let inPath = Set(address.patterns.flatMap { $0.segments }.flatMap { $0.identifiers })
        var readers: [ByteText: Parameter] = [:]
        var issues: [CatalogIssue] = []
        for parameter in parameters where !inPath.contains(parameter.value.identifier) {
            for key in Set(parameter.value.keys.map { $0.bytewise }).sorted() {
                if !parameter.value.otherKeys.isEmpty, case .query(let opener) = address, opener.bytewise == key {
                    issues.report(
                        .invalidParameter,
                        at: parameter.location,
                        message:
                            "The parameter `\(parameter.value.name)` of `\(route.value)` reads `\(key)` beside other "
                            + "keys, and `\(key)` opens the route.",
                        hint: "Write `from: \(key)`, since the key is always there; or open the route with another "
                            + "`query`."
                    )
                }
                guard let other = readers.updateValue(parameter.value, forKey: key),
                    !other.otherKeys.isEmpty || !parameter.value.otherKeys.isEmpty
                else { continue }
                issues.report(
                    .invalidParameter,
                    at: parameter.location,
                    message:
                        "The parameters `\(other.name)` and `\(parameter.value.name)` of `\(route.value)` both read "
                        + "`\(key)`, one of them beside other keys.",
                    hint: "Remove `\(key)` from one of the two."
                )
            }
        }
        return issues
    }
}

/// The first path segments that the HTTP server reserves, so that no https link can use them.
package enum ReservedPath {
    /// The segments, compared as bytes.
    package static let segments = [
        "v1", ".well-known", "healthz", "readyz", "metrics", "console", "openapi.json", "openapi.yaml",
        "apple-app-site-association", "robots.txt", "favicon.ico",
    ]

    /// Returns whether a path that begins with a segment is reserved.
    package static func contains(_ segment: some StringProtocol) -> Bool {
        segments.contains { $0.bytewise == segment.bytewise }
    }
}
