extension StackBuilder {
    /// The texts of compound segments, by their places in the path, or `nil` for a segment that does not fit.
    typealias Splits = [Int: [ArraySlice<UInt8>]?]

    /// Reads the only value of an edge, or returns `nil` if it needs the full parser, or does not fit.
    func plainValue(of match: EdgeMatch, _ catalog: RouteCatalog) -> ParameterValue? {
        guard let value = catalog.graph.packed[match.edge].value,
            let segment = segment(value.segment, from: match.start)
        else { return nil }
        switch value.type {
        case .int: return segment.int(of: query.link.bytes.span).map { .int($0) }
        case .text:
            let bytes = query.link.bytes[segment.start..<segment.end]
            return bytes.contains(ASCII.percent) ? nil : .string(String(decoding: bytes, as: UTF8.self))
        case .other: return nil
        }
    }

    /// Returns the segment with an index, counted from an offset.
    private func segment(_ number: Int, from start: Int) -> LinkRange? {
        var segment = query.link.nextSegment(from: start)
        for _ in 0..<number {
            guard let before = segment else { return nil }
            segment = query.link.nextSegment(from: before.end)
        }
        return segment
    }

    /// Reads a parameter from the path, or returns `nil` if it is optional, absent and without a default.
    func pathValue(
        of index: Int,
        edge: Edge,
        match: EdgeMatch,
        splits: inout Splits
    ) throws(ValueError) -> ParameterValue? {
        let parameter = edge.parameters[index]
        guard let expansion = match.expansion, let place = edge.expansions[expansion].place(of: index) else {
            return parameter.defaultValue
        }
        guard let segment = segment(place, from: match.start) else { return nil }
        switch edge.expansions[expansion].parts[place] {
        case .rest: break
        case .compound(let compound):
            let texts = splits[place] ?? compound.texts(in: segment, of: query.link.bytes)
            splits[place] = .some(texts)
            let text = compound.parts.firstIndex { $0.parameter == index }.flatMap { texts?[$0] }
            return try value(of: parameter, text: text, in: segment)
        case .literal, .parameter, .wildcard, .wildcardRest: return try value(of: parameter, in: segment)
        }
        var values: [ParameterValue] = []
        for segment in query.link.segmentRanges(from: segment.start) {
            values.append(try value(of: parameter, in: segment))
        }
        let value = ParameterValue.list(values)
        guard parameter.type.accepts(count: values.count) else {
            throw misfit(parameter, value: value.text, at: segment)
        }
        return value
    }

    private func value(of parameter: Parameter, in segment: LinkRange) throws(ValueError) -> ParameterValue {
        if parameter.plainType == .int, let number = segment.int(of: query.link.bytes.span) {
            return .int(number)
        }
        let bytes = query.link.bytes[segment.start..<segment.end]
        guard let value = parameter.type.segmentType?.parse(DecodedBytes(bytes)) else {
            throw misfit(parameter, value: PercentEncoding.decode(bytes), at: segment)
        }
        return value
    }

    private func value(
        of parameter: Parameter,
        text: ArraySlice<UInt8>?,
        in segment: LinkRange
    ) throws(ValueError) -> ParameterValue {
        guard let text, let value = parameter.type.segmentType?.parse(text) else {
            let whole = PercentEncoding.decode(query.link.bytes[segment.start..<segment.end])
            throw misfit(parameter, value: text.map { String(decoding: $0, as: UTF8.self) } ?? whole, at: segment)
        }
        return value
    }

    private func misfit(_ parameter: Parameter, value: String, at segment: LinkRange) -> ValueError {
        ValueError(
            parameter: parameter.name,
            value: value,
            expected: parameter.type.expectation(insteadOf: value),
            range: segment
        )
    }
}

/// A missing or rejected value, before its route is known.
struct ValueError: Error {
    /// The parameter's name and, for a field of an object, the field's name after a dot.
    let parameter: String

    /// The decoded text in the link, or `nil` if there is none.
    let value: String?

    /// Whether the link has the key without a value.
    var isBare = false

    /// The accepted values, in words.
    let expected: String

    /// The value's bytes in the link, or an empty range at the position of a missing value.
    let range: LinkRange
}
