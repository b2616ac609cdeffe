import DeepLinkCore

/// The results of the witnesses of each edge and origin.
struct WitnessRecord {
    /// One witness and the kinds of change that it shows.
    struct Showing {
        let witness: Witness
        let rules: [ChangeRule]
    }

    /// The changes that break a published link.
    private static let breaks: Set<ChangeRule> = [
        .linkDies, .linkDestinationChanged, .linkCaptured, .linkStackChanged, .linkParametersChanged,
    ]

    private var showings: [ByteText: [Showing]] = [:]

    /// The number of links that were replayed.
    private(set) var count = 0

    mutating func note(_ witness: Witness, rules: [ChangeRule]) {
        count += 1
        showings[witness.edge, default: []].append(Showing(witness: witness, rules: rules))
    }

    /// Returns whether an edge or origin has a witness that resolves.
    func has(_ edge: ByteText) -> Bool { any(edge) != nil }

    /// Returns a link of an edge or origin that a change breaks, preferably one with a trait.
    func broken(_ edge: ByteText, preferring trait: Witness.Trait? = nil, only isOnly: Bool = false) -> String? {
        find(edge, preferring: trait, only: isOnly) { !Self.breaks.isDisjoint(with: $0) }
    }

    /// Returns a link of an edge that shows any change.
    func changed(_ edge: ByteText, preferring trait: Witness.Trait? = nil) -> String? {
        find(edge, preferring: trait, only: false) { !$0.isEmpty }
    }

    /// Returns any resolving link over an edge or origin, that is, one without a value that doesn't fit.
    func any(_ edge: ByteText) -> String? {
        showings[edge]?.first { !$0.witness.trait.isUnfit }?.witness.link.text
    }

    private func find(
        _ edge: ByteText,
        preferring trait: Witness.Trait?,
        only isOnly: Bool,
        isShown: ([ChangeRule]) -> Bool
    ) -> String? {
        let shown = (showings[edge] ?? []).filter { isShown($0.rules) }
        let preferred = shown.first { $0.witness.trait == trait }
        return (isOnly ? preferred : preferred ?? shown.first)?.witness.link.text
    }
}

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
