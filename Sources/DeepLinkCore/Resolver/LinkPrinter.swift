/// Writes the canonical link of a stack.
struct LinkPrinter {
    /// A query pair that is written, and whether a destination took it when the link was read again.
    private struct Pair {
        let key: String
        let value: String?
        var isTaken: Bool
    }

    private let graph: CatalogGraph
    private var segments: [[UInt8]]
    private var pairs: [Pair] = []

    private init(_ graph: CatalogGraph, prefix: [String]) {
        self.graph = graph
        segments = prefix.map(Self.encoded)
    }

    /// Prints a stack under a scheme and host.
    ///
    /// An initial child is printed only where it is on top or opens the next destination; elsewhere the link
    /// that leaves it out means the same. Values equal to their default are left out. The text may still mean
    /// another stack; the caller resolves it to find out.
    ///
    /// - Throws: ``DestinationFault``, for the first destination that only the app can open, whose values no link can
    ///   hold, or with which the link gets too long.
    static func print(
        _ stack: [StackElement],
        under base: LinkBase,
        in graph: CatalogGraph
    ) throws(DestinationFault) -> [UInt8] {
        var printer = LinkPrinter(graph, prefix: base.origin.pathPrefix)
        let edges = stack.map(printer.printedEdge)
        let isPrinted = isPrinted(edges)
        for (index, element) in stack.enumerated() {
            let edge = edges[index].edge
            let route = graph.routes[edge.child].name
            let fault = { (message: String) in DestinationFault(index: index, route: route, message: message) }
            let segmentCount = printer.segments.count
            if isPrinted[index] {
                guard edge.isLinkable else { throw fault("Only the app opens `\(route)` here, no link does.") }
                printer.appendSegments(of: edge, element.arguments)
            }
            printer.appendQuery(of: edge, element.arguments, openedBy: isPrinted[index] ? edge.queryKey : nil)
            guard printer.segments[segmentCount...].allSatisfy(isSegment) else {
                throw fault("A value of `\(route)` cannot stand in the path of a link.")
            }
            guard printer.segments.count <= DeepLink.maximumSegmentCount,
                printer.pairs.count <= DeepLink.maximumPairCount
            else { throw fault("With `\(route)` the link gets too long.") }
        }
        return base.bytes(of: printer.segments) + printer.query
    }

    /// Finds the edge by which a destination is printed, and whether a link that leaves it out means the same.
    ///
    /// Of the edges between the same two routes that present it the same way, the first whose parameters fit is
    /// printed; where the initial one is among them, it is shown without being named.
    private func printedEdge(of element: StackElement) -> (edge: Edge, isInitial: Bool) {
        let own = graph.edges[element.edge]
        guard !graph.alternatives[element.edge].isEmpty else { return (own, own.isInitial) }
        let fitting = graph.alternatives[element.edge].map { graph.edges[$0] }
            .filter { $0.presentation == own.presentation && $0.adopt(element.arguments) == element.arguments }
        let isInitial = fitting.contains(where: \.isInitial)
        return (fitting.first { $0.isLinkable && !(isInitial && $0.queryKey != nil) } ?? own, isInitial)
    }

    /// Decides from the top down: a destination that only an unprinted one leads to is not needed either.
    private static func isPrinted(_ edges: [(edge: Edge, isInitial: Bool)]) -> [Bool] {
        var isPrinted = [Bool](repeating: true, count: edges.count)
        var parentOfNext: Int?
        for (index, (edge, isInitial)) in edges.enumerated().reversed() {
            let isTop = parentOfNext == nil
            isPrinted[index] = !isInitial || parentOfNext == edge.child || (isTop && edge.isLinkable)
            // What a key opens over its parent is there without the key.
            if isInitial, edge.queryKey != nil { isPrinted[index] = false }
            if isPrinted[index] { parentOfNext = edge.parent }
        }
        return isPrinted
    }

    /// Tells whether a text is a segment of its own, and not skipped or refused (<doc:0002-ByteParser>).
    private static func isSegment(_ encoded: [UInt8]) -> Bool {
        !encoded.isEmpty && encoded != [ASCII.dot] && encoded != [ASCII.dot, ASCII.dot]
    }

    // MARK: Path

    private mutating func appendSegments(of edge: Edge, _ arguments: [BoundParameter]) {
        guard case .path(let pattern) = edge.address else { return }
        var parts: [[[UInt8]]] = []
        // A default may be left out only where every later optional segment is; else those would move up.
        var mayOmitDefault = true
        for segment in pattern.segments.reversed() {
            guard let name = segment.parameterName else {
                parts.append([Self.encoded(segment.text)])
                continue
            }
            let value = arguments.first { $0.name == name }?.value
            if segment.isOptional {
                let defaultValue = edge.parameters.first { $0.name == name }?.defaultValue
                guard let value, !(mayOmitDefault && value == defaultValue) else { continue }
                mayOmitDefault = false
            }
            if case .list(let items)? = value {
                parts.append(items.map { Self.encoded($0.text) })
            } else {
                parts.append([Self.encoded(value?.text ?? "")])
            }
        }
        segments += parts.reversed().joined()
    }

    private static func encoded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        PercentEncoding.append(text, to: &bytes)
        return bytes
    }

    // MARK: Query

    private mutating func appendQuery(
        of edge: Edge,
        _ arguments: [BoundParameter],
        openedBy openingKey: String?
    ) {
        let parameters = edge.queryParameters
        let count = pairs.count
        let opening = openingKey.flatMap(firstOpenPair)
        if let openingKey, opening == nil, !parameters.contains(where: { $0.keys.contains(openingKey) }) {
            pairs.append(Pair(key: openingKey, value: nil, isTaken: true))
        }
        for parameter in parameters {
            guard let value = arguments.first(where: { $0.name == parameter.name })?.value else { continue }
            switch value {
            case .object(let fields): appendFields(fields, of: parameter, openedBy: openingKey)
            // The key that opens a query route must stand there even with the default.
            case _ where value == parameter.defaultValue && parameter.key != openingKey: continue
            case .list(let items): append(parameter.key, items, parameter.take)
            default: append(parameter.key, value, parameter.take)
            }
        }
        guard let openingKey else { return }
        // What opens a destination opens no other, even if it was only read.
        let opener = opening ?? pairs[count...].firstIndex { $0.key.utf8.elementsEqual(openingKey.utf8) }
        if let opener { pairs[opener].isTaken = true }
    }

    private func firstOpenPair(_ key: String) -> Int? {
        pairs.firstIndex { !$0.isTaken && $0.key.utf8.elementsEqual(key.utf8) }
    }

    /// Appends the fields that differ from their defaults; where none does, one that says the object is there.
    private mutating func appendFields(
        _ values: [BoundParameter],
        of parameter: Parameter,
        openedBy openingKey: String?
    ) {
        guard case .object(let fields) = parameter.type else { return }
        let present = fields.compactMap { field in
            values.first { $0.name == field.name }.map { (field, value: $0.value) }
        }
        var printed = present.filter { field, value in value != field.defaultValue || field.key == openingKey }
        if printed.isEmpty { printed = Array(present.prefix(1)) }
        for (field, value) in printed { append(field.key, value, parameter.take) }
    }

    /// Appends a pair, unless one that is read and left for others says it already.
    private mutating func append(_ key: String, _ value: ParameterValue, _ take: Parameter.Take) {
        let text = value.text
        if let index = firstOpenPair(key),
            pairs[index].value?.utf8.elementsEqual(text.utf8) == true
        {
            pairs[index].isTaken = take == .next
            return
        }
        pairs.append(Pair(key: key, value: text, isTaken: take == .next))
    }

    /// Appends all items of a list, unless the pairs that are left for others are these.
    private mutating func append(_ key: String, _ items: [ParameterValue], _ take: Parameter.Take) {
        let open = pairs.indices.filter { pairs[$0].key.utf8.elementsEqual(key.utf8) && !pairs[$0].isTaken }
        if !open.isEmpty, open.map({ pairs[$0].value }) == items.map(\.text) {
            for index in open { pairs[index].isTaken = take == .next }
        } else {
            pairs += items.map { Pair(key: key, value: $0.text, isTaken: take == .next) }
        }
    }

    private var query: [UInt8] {
        var bytes: [UInt8] = []
        for pair in pairs {
            bytes.append(bytes.isEmpty ? ASCII.question : ASCII.ampersand)
            PercentEncoding.append(pair.key, to: &bytes)
            guard let value = pair.value else { continue }
            bytes.append(ASCII.equals)
            PercentEncoding.append(value, to: &bytes)
        }
        return bytes
    }
}
