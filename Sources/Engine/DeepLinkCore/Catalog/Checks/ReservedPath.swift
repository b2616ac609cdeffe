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
