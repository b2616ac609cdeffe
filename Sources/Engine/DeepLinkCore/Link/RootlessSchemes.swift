/// The schemes whose links may have a path without a slash before it, as in `matrix:u/alice`, or an empty one (RFC 3986 §3.3,
/// `path-rootless` and `path-empty`).
///
/// A link of any other scheme without that slash is ``LinkSyntaxError/Reason/opaquePath``: it is meant for another
/// program, as `mailto:a@b.c` is.
package struct RootlessSchemes: Sendable {
    /// The names in lower case; `nil` for every scheme.
    private let names: [[UInt8]]?

    private init(_ names: [[UInt8]]?) {
        self.names = names
    }

    /// Creates the set of the listed schemes.
    init(_ names: some Sequence<String>) {
        self.init(names.map { Array($0.utf8) })
    }

    /// No scheme, the default without a declaration.
    package static let none = RootlessSchemes([])

    /// Every scheme, for a link that was accepted before.
    package static let all = RootlessSchemes(nil)

    /// Returns whether the set contains a scheme, ignoring case.
    func contains(_ scheme: ArraySlice<UInt8>) -> Bool {
        names?.contains { $0.elementsEqual(scheme.lazy.map(ASCII.lowercased)) } ?? true
    }
}
