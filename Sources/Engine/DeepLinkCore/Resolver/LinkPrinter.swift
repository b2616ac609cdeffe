/// The printer of a stack's canonical link.
struct LinkPrinter {
    /// A printed query pair.
    private struct Pair {
        let key: String
        let value: String?

        /// Whether the value is percent-encoded.
        var isEncoded = false
    }

    private var text: LinkBuffer
    private var segmentCount = 0
    private var pairs: [Pair] = []

    /// The pairs of each key that no destination consumes when the link is read again.
    private var openPairs: [ByteText: [Int]] = [:]

    /// Whether the path contains a text that would be skipped or rejected as a segment.
    private var hasLostSegment = false

    private init(like link: DeepLink?) {
        text = LinkBuffer(like: link)
    }

    /// Prints a stack under a scheme and host.
    ///
    /// An initial child is printed only if it is on top or opens the next destination. Elsewhere the link without it
    /// means the same. Values equal to their default are left out. The text may still mean another stack, so the caller
    /// resolves it to find out.
    ///
    /// - Throws: ``DestinationError`` for the first destination that only the app can open, that has values which no
    ///   link can hold, or that makes the link too long.
    static func print(
        _ stack: [StackElement],
        under base: LinkPrefix,
        in catalog: RouteCatalog
    ) throws(DestinationError) -> [UInt8] {
        let graph = catalog.graph
        let texts = graph.texts
        var printer = LinkPrinter(like: base.link)
        base.begin(&printer.text, in: catalog)
        let pathStart = printer.text.count
        let key = catalog.originKeys[base.origin]
        if key.prefixCount > 0, !key.hasHostSegment {
            for segment in catalog.origins[key.origin].pathPrefix { printer.append(literal: segment) }
        }
        let printed = PrintPlan(stack, in: graph)
        for index in stack.indices {
            let edge = printed.edge(of: stack[index], at: index)
            let isPrinted = printed.isPrinted(index)
            let packedEdge = graph.packed[edge]
            guard packedEdge.isLinkable || !isPrinted else {
                throw fault(at: index, edge: edge, graph: graph) { "Only the app opens `\($0)` here, no link does." }
            }
            if isPrinted, packedEdge.value != nil, stack[index].arguments.count == 1 {
                printer.appendSegments(packedEdge.segments, of: texts)
                printer.append(segment: stack[index].arguments[0].value.text)
                printer.appendSegments(packedEdge.lastSegments, of: texts)
            } else if packedEdge.hasParameters || packedEdge.isQuery {
                printer.append(stack[index].arguments, of: graph.edges[edge], isPrinted: isPrinted)
            } else if isPrinted {
                printer.appendSegments(packedEdge.segments, of: texts)
            }
            guard !printer.hasLostSegment else {
                throw fault(at: index, edge: edge, graph: graph) {
                    "A value of `\($0)` cannot be in the path of a link."
                }
            }
            guard printer.segmentCount <= DeepLink.maximumSegmentCount,
                printer.pairs.count <= DeepLink.maximumPairCount
            else {
                throw fault(at: index, edge: edge, graph: graph) { "With `\($0)` the link is too long." }
            }
        }
        guard base.finish(&printer.text, from: pathStart, in: catalog) else {
            guard let index = stack.indices.first(where: printed.isPrinted) ?? stack.indices.first else {
                throw DestinationError(index: 0, route: "", message: "The stack is empty.")
            }
            throw fault(at: index, edge: printed.edge(of: stack[index], at: index), graph: graph) {
                "No host of the origin matches the first segment of `\($0)`."
            }
        }
        printer.appendPairs()
        return printer.text.finished
    }

    private static func fault(
        at index: Int,
        edge: EdgeIndex,
        graph: CatalogGraph,
        message: (_ route: String) -> String
    ) -> DestinationError {
        let route = graph.routes[graph.packed[edge].child].name
        return DestinationError(index: index, route: route, message: message(route))
    }

    private mutating func append(_ arguments: [BoundParameter], of edge: Edge, isPrinted: Bool) {
        if isPrinted { appendSegments(of: edge, arguments) }
        appendQuery(of: edge, arguments, openedBy: isPrinted ? edge.queryKey : nil)
    }

    // MARK: Path

    /// Appends segments that the catalog has precomputed.
    private mutating func appendSegments(_ range: Range<Int>, of texts: [UInt8]) {
        text.append(texts.span.extracting(range))
        for index in range where texts[index] == ASCII.slash { segmentCount += 1 }
    }

    private mutating func appendSegments(of edge: Edge, _ arguments: [BoundParameter]) {
        guard case .path(let pattern) = edge.address else { return }
        // A default may be left out only if every later optional segment is left out too. Otherwise those would move
        // forward.
        var lastNeeded = -1
        if edge.hasOptionalSegments {
            for (index, segment) in pattern.segments.enumerated() where segment.isOptional {
                guard let value = Self.value(of: segment, arguments) else { continue }
                if value
                    != edge.parameters.first(where: { $0.identifier == segment.identifier })?
                    .defaultValue
                {
                    lastNeeded = index
                }
            }
        }
        for index in pattern.segments.indices {
            let segment = pattern.segments[index]
            switch segment {
            case .literal(let text):
                append(literal: text)
                continue
            case .compound(let pieces):
                // The first expansion has every segment of the pattern.
                if case .compound(let compound) = edge.expansions[0].parts[index] {
                    append(compound, pieces: pieces, arguments: arguments)
                }
                continue
            case .parameter, .optional, .rest, .wildcard, .optionalWildcard, .wildcardRest: break
            }
            let value = Self.value(of: segment, arguments)
            if segment.isOptional, value == nil || index > lastNeeded { continue }
            if case .list(let items)? = value {
                for item in items { append(segment: item.text) }
            } else {
                append(segment: value?.text ?? "")
            }
        }
    }

    private static func value(of segment: PathPattern.Segment, _ arguments: [BoundParameter]) -> ParameterValue? {
        guard let name = segment.parameterName else { return nil }
        return arguments.first { $0.name.bytewise == name.bytewise }?.value
    }

    private mutating func append(
        _ compound: CompoundSegment,
        pieces: [PathPattern.Piece],
        arguments: [BoundParameter]
    ) {
        let values = pieces.compactMap { $0.identifier }
            .compactMap { name in arguments.first { $0.name.bytewise == name.text.bytewise }?.value.text }
        // An alias may open the route without the value, but the path cannot.
        guard values.count == compound.parts.count, values.allSatisfy({ !$0.isEmpty }) else {
            hasLostSegment = true
            return
        }
        text.append(ASCII.slash)
        text.append(compound.print(values).span)
        segmentCount += 1
    }

    private mutating func append(literal: String) {
        text.append(ASCII.slash)
        text.append(encoding: literal, keeping: .literal)
        segmentCount += 1
    }

    private mutating func append(segment: String) {
        text.append(ASCII.slash)
        text.append(encoding: segment)
        segmentCount += 1
        // Empty segments are skipped, and one or two dots rejected (decision record 2).
        if segment.utf8.count <= 2, segment.utf8.allSatisfy({ $0 == ASCII.dot }) { hasLostSegment = true }
    }

    // MARK: Query

    private mutating func appendQuery(
        of edge: Edge,
        _ arguments: [BoundParameter],
        openedBy openingKey: String?
    ) {
        let parameters = edge.queryParameters
        guard !parameters.isEmpty || openingKey != nil else { return }
        let count = pairs.count
        let opening = openingKey.flatMap(firstOpenPair)
        if let openingKey, opening == nil, !parameters.contains(where: { $0.reads(openingKey) }) {
            pairs.append(Pair(key: openingKey, value: nil))
        }
        // Values are in the order declared.
        var place = 0
        for index in edge.parameters.indices {
            let parameter = edge.parameters[index]
            guard place < arguments.count, arguments[place].name.bytewise == parameter.name.bytewise else {
                continue
            }
            let value = arguments[place].value
            place += 1
            guard !edge.isInPath[index], !parameter.isFixed else { continue }
            switch value {
            case .object(let fields): appendFields(fields, of: parameter, openedBy: openingKey)
            // The key that opens a query route is required even with the default.
            case _ where value == parameter.defaultValue && parameter.key.bytewise != openingKey?.bytewise: continue
            case .list(let items): append(items, of: parameter)
            default: append(parameter.key, value: value, take: parameter.take)
            }
        }
        guard let openingKey else { return }
        // A pair that opens a destination opens no other, even if it was only read.
        let opener = opening ?? pairs[count...].firstIndex { $0.key.bytewise == openingKey.bytewise }
        if let opener, !openPairs.isEmpty { openPairs[openingKey.bytewise]?.removeAll { $0 == opener } }
    }

    private func firstOpenPair(_ key: String) -> Int? { openPairs.isEmpty ? nil : openPairs[key.bytewise]?.first }

    /// Appends the fields that differ from their defaults.
    ///
    /// If there are none, appends one that marks the object as present.
    private mutating func appendFields(
        _ values: [BoundParameter],
        of parameter: Parameter,
        openedBy openingKey: String?
    ) {
        guard case .object(let fields) = parameter.type else { return }
        let present = fields.compactMap { field in
            values.first { $0.name.bytewise == field.name.bytewise }.map { (field, value: $0.value) }
        }
        var printed = present.filter { field, value in
            value != field.defaultValue || field.key.bytewise == openingKey?.bytewise
        }
        if printed.isEmpty { printed = Array(present.prefix(1)) }
        for (field, value) in printed { append(field.key, value: value, take: parameter.take) }
    }

    /// Appends a pair, unless an equal shared one is already in the link.
    private mutating func append(_ key: String, value: ParameterValue, take: Parameter.Take) {
        let text = value.text
        if let index = firstOpenPair(key), pairs[index].value?.bytewise == text.bytewise {
            if take == .next { openPairs[key.bytewise]?.removeFirst() }
            return
        }
        append(Pair(key: key, value: text), take: take)
    }

    /// Appends all items of a list, unless the shared pairs in the link are equal to them.
    private mutating func append(_ items: [ParameterValue], of parameter: Parameter) {
        let (key, take) = (parameter.key, parameter.take)
        let open = openPairs.isEmpty ? [] : openPairs[key.bytewise] ?? []
        let texts =
            parameter.separator.map { [PercentEncoding.encode(items.map { $0.text }, separator: $0)] }
            ?? items.map { $0.text }
        let isSame =
            !open.isEmpty && open.count == texts.count
            && zip(open, texts).allSatisfy { pairs[$0].value?.bytewise == $1.bytewise }
        guard !isSame else {
            if take == .next { openPairs[key.bytewise] = nil }
            return
        }
        for text in texts {
            append(Pair(key: key, value: text, isEncoded: parameter.separator != nil), take: take)
        }
    }

    private mutating func append(_ pair: Pair, take: Parameter.Take) {
        if take == .shared { openPairs[pair.key.bytewise, default: []].append(pairs.count) }
        pairs.append(pair)
    }

    private mutating func appendPairs() {
        var separator = ASCII.question
        for pair in pairs {
            text.append(separator)
            separator = ASCII.ampersand
            text.append(encoding: pair.key)
            guard let value = pair.value else { continue }
            text.append(ASCII.equals)
            if pair.isEncoded { value.utf8.withBytes { text.append($0) } } else { text.append(encoding: value) }
        }
    }
}
