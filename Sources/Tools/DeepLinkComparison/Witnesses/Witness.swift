import DeepLinkCore

/// A link over one edge of a catalog, to be resolved with both catalogs.
struct Witness: Sendable {
    /// The special feature of a witness among the witnesses of its edge.
    enum Trait: Hashable, Sendable {
        /// No special feature: only the values that the edge needs.
        case plain

        /// A value of this parameter.
        case parameter(ByteText)

        /// A value of a parameter under this key, one of several.
        case key(ByteText, of: ByteText)

        /// An alias in place of the path.
        case alias(PathPattern)

        /// A plus in a text of the query.
        case plus

        /// A value that this parameter doesn't accept.
        case unfit(ByteText)

        /// Another scheme or host.
        case origin(ByteText)

        /// Whether a value doesn't fit, so that the link must not resolve.
        var isUnfit: Bool { if case .unfit = self { true } else { false } }
    }

    let link: DeepLink

    /// The name of the edge in reports.
    let edge: ByteText

    let trait: Trait

    /// The top edge of the stack in its own catalog, or `nil` if the link doesn't resolve there.
    var top: Int?

    /// The level that the link requires.
    var level = AuthorizationLevel.lowest

    /// The grants that the link requires.
    var grants: GrantSet = []

    /// Whether the link requires a signature.
    var isSigned = false
}
