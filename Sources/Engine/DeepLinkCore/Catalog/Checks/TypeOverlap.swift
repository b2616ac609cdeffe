/// A test whether some text fits two path parameters of equal specificity.
///
/// Bounds do not separate types: a maximum of 10 here and a minimum of 11 there would make the meaning of a link depend
/// on a limit that may change.
enum TypeOverlap {
    /// Returns whether two parameters have a text in common.
    ///
    /// Parameters of different specificity count as disjoint.
    ///
    /// Comparing patterns uses up a budget. Returns `nil` if the budget runs out.
    static func exists(
        _ left: MatchingAutomaton.Capture,
        _ right: MatchingAutomaton.Capture,
        budget: inout Int
    ) -> Bool? {
        guard left.specificity == right.specificity else { return false }
        if let one = left.compound, let other = right.compound {
            guard one.signature != other.signature else { return true }
            return TextPatternOverlap.exists(elements(of: one), elements(of: other), budget: &budget)
        }
        // All parameters for the rest of a path are equally specific, independent of their types.
        return exists(left.type, right.type, budget: &budget)
    }

    /// Returns whether every text that fits one compound segment fits another one, and not the reverse.
    ///
    /// The first is then the more specific one (decision record 50). Returns `false` if the budget runs out.
    static func isNarrower(_ one: CompoundSegment, than other: CompoundSegment, budget: inout Int) -> Bool {
        guard one.signature != other.signature else { return false }
        let (narrow, wide) = (elements(of: one), elements(of: other))
        return TextPatternInclusion.holds(narrow, in: wide, budget: &budget) == true
            && TextPatternInclusion.holds(wide, in: narrow, budget: &budget) == false
    }

    /// Returns whether a type accepts every text of another type, as far as their declarations show.
    static func includes(_ wide: ScalarType, _ narrow: ScalarType, budget: inout Int) -> Bool {
        func isWithin<Bound: Comparable>(_ min: Bound?, _ max: Bound?, _ low: Bound?, _ high: Bound?) -> Bool {
            (min.map { min in low.map { $0 >= min } ?? false } ?? true)
                && (max.map { max in high.map { $0 <= max } ?? false } ?? true)
        }
        switch (wide, narrow) {
        case (.string(nil, nil, nil), _): return true
        case (_, .enumeration(let words)):
            budget -= words.count
            return budget >= 0 && words.allSatisfy { wide.value(of: $0) != nil }
        case (.int(let min, let max), .int(let low, let high)): return isWithin(min, max, low, high)
        case (.double(let min, let max), .double(let low, let high)): return isWithin(min, max, low, high)
        case (.string(let min, let max, nil), .string(let low, let high, _)): return isWithin(min, max, low, high)
        case (.string(nil, nil, let one?), .string(_, _, let other?)):
            return TextPatternInclusion.holds(other.elements, in: one.elements, budget: &budget) == true
        default: return wide == narrow
        }
    }

    /// Returns the texts of a compound segment as a pattern, which may be wider than the types.
    private static func elements(of segment: CompoundSegment) -> [TextPattern.Element] {
        segment.pieces.flatMap { piece -> [TextPattern.Element] in
            switch piece {
            case .literal(let bytes):
                return String(decoding: bytes, as: UTF8.self).unicodeScalars
                    .map { scalar in
                        TextPattern.Element(
                            characters: CharacterClass([scalar.value...scalar.value]),
                            minimum: 1,
                            maximum: 1
                        )
                    }
            case .parameter(_, .string(_, _, let pattern?)): return pattern.elements
            case .parameter(_, let type):
                let shapes = type.shapes
                if shapes.count == 1 { return shapes[0].elements }
                return [TextPattern.Element(characters: CharacterClass([]).complement, minimum: 1, maximum: .max)]
            }
        }
    }

    private static func exists(_ left: ScalarType, _ right: ScalarType, budget: inout Int) -> Bool? {
        switch (left, right) {
        case (.string(_, _, nil), _), (_, .string(_, _, nil)): return true
        case (.int, .int), (.double, .double), (.bool, .bool), (.uuid, .uuid), (.date, .date), (.dateTime, .dateTime),
            (.int, .double), (.double, .int):
            return true
        case (.string(_, _, let left?), .string(_, _, let right?)):
            return TextPatternOverlap.exists(left, right, budget: &budget)
        case (.enumeration(let words), .enumeration(let others)):
            // Most of a step's cost is comparing two types, not one word.
            budget -= min(words.count, others.count) / 64
            return budget < 0 ? nil : words.overlaps(others)
        case (.enumeration(let words), let other), (let other, .enumeration(let words)):
            budget -= words.count / 4
            guard budget >= 0 else { return nil }
            return words.contains { other.unbounded.parse($0.utf8) != nil }
        // Booleans are few enough to try.
        case (.bool, let other), (let other, .bool):
            return ["true", "false", "1", "0"].contains { other.unbounded.parse($0.utf8) != nil }
        case (.string(_, _, let pattern?), let other), (let other, .string(_, _, let pattern?)):
            for shape in other.shapes {
                switch TextPatternOverlap.exists(pattern, shape, budget: &budget) {
                case true?: return true
                case false?: continue
                case nil: return nil
                }
            }
            return false
        // A number has too few dashes for a UUID or a date, and a date has no time.
        case (.int, _), (_, .int), (.double, _), (_, .double), (.uuid, _), (_, .uuid), (.date, _), (_, .date):
            return false
        }
    }
}

extension ScalarType {
    /// The type without its bounds.
    fileprivate var unbounded: ScalarType {
        switch self {
        case .string(_, _, let pattern): .string(min: nil, max: nil, pattern: pattern)
        case .int: .int(min: nil, max: nil)
        case .double: .double(min: nil, max: nil)
        case .bool, .uuid, .date, .dateTime, .enumeration: self
        }
    }

    /// The patterns that together match the texts of a type without a pattern.
    ///
    /// They are slightly wider than the type, since a pattern knows no leap years. Two types that nearly overlap may
    /// therefore count as overlapping.
    fileprivate var shapes: [TextPattern] {
        let texts: [String]
        let digits = #"-?\d+"#
        let day = #"\d{4}-\d{2}-\d{2}"#
        switch self {
        case .int: texts = [digits]
        case .double: texts = [#"-?\d+\.?\d*"#, #"-?\d+\.?\d*[eE][+\-]?\d+"#]
        case .uuid: texts = ["[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"]
        case .date: texts = [day]
        case .dateTime: texts = [day + #"[tT ][\d:.,]+[zZ]?[+\-]?[\d:]*"#]
        case .string, .bool, .enumeration: texts = []
        }
        return texts.compactMap { try? TextPattern($0) }
    }
}
