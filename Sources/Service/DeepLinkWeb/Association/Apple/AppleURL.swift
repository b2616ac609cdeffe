import DeepLinkCore

/// The parts of a URL for comparison with Apple's rules.
///
/// Values that many rules need are computed once.
struct AppleURL {
    /// A path without the slashes at its end.
    struct Path {
        let whole: String

        /// The path without its leading slash, if it has one and more after it.
        let bare: String?

        fileprivate init(_ text: String) {
            var bytes = Array(text.utf8)[...]
            while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
            whole = String(decoding: bytes, as: UTF8.self)
            let hasBare = bytes.count > 1 && bytes.first == UInt8(ascii: "/")
            bare = hasBare ? String(decoding: bytes.dropFirst(), as: UTF8.self) : nil
        }
    }

    /// The parts of the URL, where a missing part is an empty text.
    struct Parts {
        let path: Path
        let query: String
        let fragment: String
        let pairs: [(name: String, value: String)]

        fileprivate init(_ url: PlatformURL, read: (String) -> String) {
            path = Path(read(url.path.isEmpty ? "/" : url.path))
            query = read(url.query ?? "")
            fragment = read(url.fragment ?? "")
            pairs = (url.query ?? "").utf8.split(separator: UInt8(ascii: "&"))
                .map { pair in
                    let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                    return (read(String(Substring(sides[0]))), sides.count > 1 ? read(String(Substring(sides[1]))) : "")
                }
        }
    }

    /// The parts as written, for rules with `percentEncoded`.
    let written: Parts

    /// The decoded parts, for rules without `percentEncoded`.
    let decoded: Parts

    init(_ url: PlatformURL) {
        written = Parts(url) { $0 }
        decoded = Parts(url, read: PlatformURL.decode)
    }
}
