/// The places where the parts of one link stand in its bytes: what the parser found, and nothing it had to copy.
struct LinkSpans: Hashable, Sendable {
    /// The scheme, without its colon, as written.
    var scheme = LinkRange(0, 0)

    /// The host as written; empty where there is none.
    var host = LinkRange(0, 0)

    /// The port, unless absent or the scheme's default.
    var port: UInt16?

    /// The path, from its first slash.
    var path = LinkRange(0, 0)

    /// The query after its question mark; empty where there is none.
    var query = LinkRange(0, 0)

    /// The fragment after its number sign.
    var fragment: LinkRange?

    /// Whether the scheme is `http` or `https`, in any case.
    var isWeb = false
}
