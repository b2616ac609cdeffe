/// The schemes whose links may have a path without a slash before it, as in `matrix:u/alice` (RFC 3986 §3.3,
/// `path-rootless`).
///
/// A link of any other scheme that begins so is ``LinkSyntaxError/Reason/opaquePath``: it is a text for another program,
/// such as `mailto:a@b.c`.
public struct RootlessSchemes: Sendable {
    /// The names in lower case; `nil` for every scheme.
    private let names: [[UInt8]]?

    private init(_ names: [[UInt8]]?) {
        self.names = names
    }

    /// The schemes of a list.
    init(_ names: some Sequence<String>) {
        self.init(names.map { Array($0.utf8) })
    }

    /// No scheme, as nobody has declared one.
    public static let none = RootlessSchemes([])

    /// Every scheme, for a link that was accepted before.
    public static let all = RootlessSchemes(nil)

    /// Returns whether a scheme is one of these, whatever its case.
    func contains(_ scheme: ArraySlice<UInt8>) -> Bool {
        names?.contains { $0.elementsEqual(scheme.lazy.map(ASCII.lowercased)) } ?? true
    }
}
