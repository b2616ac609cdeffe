import DeepLinkCore

/// A link that leads over one edge of a catalog, made to be resolved by another.
struct Witness: Sendable {
    /// What is special about a witness of its edge.
    enum Trait: Hashable, Sendable {
        /// Nothing: it has what it needs.
        case plain

        /// A value of this parameter.
        case parameter(ByteText)

        /// Another path.
        case alias(PathPattern)

        /// A plus in a text of the query.
        case plus

        /// A value that this parameter does not accept.
        case unfit(ByteText)

        /// Another scheme or host.
        case origin(ByteText)
    }

    let link: DeepLink

    /// The name of the edge, in the words of reports.
    let edge: ByteText

    let trait: Trait

    /// The edge at the top of the stack to which its own catalog takes it; `nil` where it leads nowhere.
    var top: Int?

    /// The level that this takes.
    var level = AuthorizationLevel.none
}
