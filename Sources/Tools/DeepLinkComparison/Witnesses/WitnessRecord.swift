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
