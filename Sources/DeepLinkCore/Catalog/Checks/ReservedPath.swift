/// The first path segments that the HTTP server keeps for itself, so no https link can lead there.
public enum ReservedPath {
    /// The segments, compared as bytes.
    public static let segments = [
        "v1", ".well-known", "healthz", "readyz", "metrics", "console", "openapi.json", "openapi.yaml",
        "apple-app-site-association", "robots.txt", "favicon.ico",
    ]

    /// Returns whether a path that begins with a segment is the server's own.
    public static func contains(_ segment: some StringProtocol) -> Bool {
        segments.contains { $0.bytewise == segment.bytewise }
    }
}
