import DeepLinkCore

/// The last edge of a link before the link is written: its values and their spelling.
struct WitnessDraft {
    let values: WitnessText.Values
    let trait: Witness.Trait

    /// The alias that replaces the path.
    var alias: PathPattern?

    /// The query pairs of a parameter with several keys.
    var keyed: WitnessText.KeyedValues?

    /// The number of segments that fill a wildcard.
    var filling = WitnessText.Filling.least

    /// The variant of the plain values of all parameters, counted from 0.
    var variant = 0

    /// Whether the draft has a word of an enumeration.
    ///
    /// Every word is tried.
    var isWord = false

    /// Returns the drafts of an edge: plain drafts, one for each spelling of each alias, and one for each bound of a
    /// parameter.
    ///
    /// - Parameters:
    ///   - edge: the edge.
    ///   - other: the same edge in the other catalog. Its bounds are tried too.
    /// - Returns: the drafts.
    static func all(of edge: Edge, beside other: Edge?) -> [WitnessDraft] {
        var examples: [Example] = []
        // A link cannot set a fixed value.
        for parameter in edge.parameters where !parameter.isFixed {
            let twin = other?.parameters.first { $0.identifier == parameter.identifier }
            examples.append(
                Example(
                    parameter: parameter,
                    values: ValueExamples.values(of: parameter.type, beside: twin?.type),
                    isNeeded: WitnessText.isNeeded(parameter, on: edge)
                )
            )
        }
        let needed = Example.values(examples) { $0.isNeeded ? $0.values.first : nil }
        let all = Example.values(examples) { $0.values.first }
        var drafts = [WitnessDraft(values: needed, trait: .plain)]
        // A plain value may equal the literal of a sibling.
        for variant in 1...2 {
            let others = Example.values(examples) { example in
                example.isNeeded ? example.values.dropFirst(variant).first ?? example.values.first : nil
            }
            drafts.append(WitnessDraft(values: others, trait: .plain, variant: variant))
        }
        drafts.append(WitnessDraft(values: all, trait: .plain))
        for alias in edge.aliases { drafts += Self.drafts(of: alias, examples: examples, needed: needed, all: all) }
        for example in examples {
            let name = example.parameter.name.bytewise
            for value in example.values {
                let values = needed.merging([name: value]) { $1 }
                drafts.append(WitnessDraft(values: values, trait: .parameter(name), isWord: example.isEnumeration))
            }
            for keyed in example.keyedValues {
                guard let key = keyed.pairs.first?.key else { continue }
                drafts.append(WitnessDraft(values: needed, trait: .key(key.bytewise, of: name), keyed: keyed))
            }
            if !example.isNeeded { drafts.append(WitnessDraft(values: needed, trait: .parameter(name))) }
            if let unfit = ValueExamples.unfit(for: example.parameter.type) {
                drafts.append(WitnessDraft(values: needed.merging([name: unfit]) { $1 }, trait: .unfit(name)))
            }
        }
        drafts.append(WitnessDraft(values: all, trait: .plus))
        return drafts
    }

    /// Returns the drafts of an alias.
    ///
    /// There is one with all optional parts, one with as few as possible, one with each optional part alone, and some
    /// with other values in case a sibling takes the plainest.
    private static func drafts(
        of alias: PathPattern,
        examples: [Example],
        needed: WitnessText.Values,
        all: WitnessText.Values
    ) -> [WitnessDraft] {
        func draft(_ values: WitnessText.Values, filling: WitnessText.Filling = .least, variant: Int = 0)
            -> WitnessDraft
        {
            WitnessDraft(values: values, trait: .alias(alias), alias: alias, filling: filling, variant: variant)
        }
        var drafts = [draft(all), draft(needed)]
        if alias.hasWildcards { drafts += [draft(all, filling: .most), draft(needed, filling: .most)] }
        let optional = alias.segments.filter(\.isOptional).compactMap { $0.parameterName?.bytewise }
        if optional.count > 1 {
            for name in optional {
                drafts.append(draft(needed.merging([name: all[name]].compactMapValues(\.self)) { $1 }))
            }
        }
        for variant in 1...2 {
            let others = Example.values(examples) { $0.values.dropFirst(variant).first ?? $0.values.first }
            drafts.append(draft(others, filling: .least, variant: variant))
        }
        return drafts
    }
}

/// A parameter with values to try.
private struct Example {
    let parameter: Parameter
    let values: [ParameterValue]
    let isNeeded: Bool

    var isEnumeration: Bool {
        if case .scalar(.enumeration) = parameter.type { true } else { false }
    }

    /// The query pairs for several keys: each key alone, and all together with different values if possible.
    ///
    /// The order decides which key counts.
    var keyedValues: [WitnessText.KeyedValues] {
        guard !parameter.otherKeys.isEmpty, let value = values.first else { return [] }
        let all = parameter.keys.enumerated().map { (key: $1, value: values[$0 % values.count]) }
        return parameter.keys.map { WitnessText.KeyedValues(name: parameter.name.bytewise, pairs: [($0, value)]) }
            + [WitnessText.KeyedValues(name: parameter.name.bytewise, pairs: all)]
    }

    static func values(_ examples: [Example], value: (Example) -> ParameterValue?) -> WitnessText.Values {
        var values: WitnessText.Values = [:]
        for example in examples { values[example.parameter.name.bytewise] = value(example) }
        return values
    }
}
