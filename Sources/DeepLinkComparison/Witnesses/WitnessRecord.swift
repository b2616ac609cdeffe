import DeepLinkCore

/// What the witnesses of each edge and origin showed.
struct WitnessRecord {
    /// One witness and the kinds of change that it shows.
    struct Showing {
        let witness: Witness
        let rules: [ChangeRule]
    }

    /// What a link that is out suffers.
    private static let breaks: Set<ChangeRule> = [
        .linkDies, .linkDestinationChanged, .linkCaptured, .linkStackChanged, .linkParametersChanged,
    ]

    private var showings: [ByteText: [Showing]] = [:]

    /// The number of links that were replayed.
    private(set) var count = 0

    mutating func note(_ witness: Witness, _ rules: [ChangeRule]) {
        count += 1
        showings[witness.edge, default: []].append(Showing(witness: witness, rules: rules))
    }

    /// Returns whether an edge or origin has a witness, whatever it shows.
    func has(_ edge: ByteText) -> Bool { showings[edge] != nil }

    /// Finds a link of an edge or origin that a change breaks: one of a trait, else one of any.
    func broken(_ edge: ByteText, preferring trait: Witness.Trait? = nil, only isOnly: Bool = false) -> String? {
        find(edge, preferring: trait, only: isOnly) { !Self.breaks.isDisjoint(with: $0) }
    }

    /// Finds a link of an edge that shows any change.
    func changed(_ edge: ByteText, preferring trait: Witness.Trait? = nil) -> String? {
        find(edge, preferring: trait, only: false) { !$0.isEmpty }
    }

    /// Finds a link of an edge, whatever it shows.
    func any(_ edge: ByteText) -> String? { showings[edge]?.first?.witness.link.text }

    private func find(
        _ edge: ByteText,
        preferring trait: Witness.Trait?,
        only isOnly: Bool,
        _ isShown: ([ChangeRule]) -> Bool
    ) -> String? {
        let shown = (showings[edge] ?? []).filter { isShown($0.rules) }
        let preferred = shown.first { $0.witness.trait == trait }
        return (isOnly ? preferred : preferred ?? shown.first)?.witness.link.text
    }
}
