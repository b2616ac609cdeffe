/// The only parameter of an edge whose path is literals and one whole segment for it: the most frequent kind.
///
/// Such a path is read and printed without looking at its pattern.
struct SoleParameter: Sendable {
    /// The number of the segment that holds the value.
    let segment: Int

    /// What the value is: a text or a whole number.
    let type: PlainType

    init?(_ edge: Edge) {
        guard let pattern = edge.address.patterns.first, let parameter = edge.parameters.first,
            edge.parameters.count == 1, parameter.plainType != .other, !edge.hasOptionalSegments,
            let place = pattern.segments.firstIndex(where: { $0.parameterName != nil }),
            !pattern.segments[place].isRest
        else { return nil }
        segment = place
        type = parameter.plainType
    }
}
