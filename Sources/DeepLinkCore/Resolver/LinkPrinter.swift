/// Writes the canonical link of a stack.
struct LinkPrinter {
    private let graph: CatalogGraph
    private var path: [UInt8] = []
    private var query: [UInt8] = []

    private init(_ graph: CatalogGraph) {
        self.graph = graph
    }

    /// Prints a stack under a scheme and host.
    ///
    /// An initial child is printed only where it is on top or opens the next destination; elsewhere the link
    /// that leaves it out means the same. Values equal to their default are left out. The text may still mean
    /// another stack; the caller resolves it to find out.
    static func print(_ stack: [StackElement], scheme: String, host: String, in graph: CatalogGraph) -> [UInt8] {
        var printer = LinkPrinter(graph)
        let isPrinted = printer.isPrinted(stack)
        for (index, element) in stack.enumerated() {
            let edge = graph.edges[element.edge]
            if isPrinted[index] { printer.appendSegments(of: edge, element.arguments) }
            printer.appendQuery(of: edge, element.arguments)
        }
        var bytes = Array(scheme.utf8) + "://".utf8 + host.utf8
        bytes += printer.path.isEmpty ? [ASCII.slash] : printer.path
        if !printer.query.isEmpty { bytes += [ASCII.question] + printer.query }
        return bytes
    }

    /// Decides from the top down: a destination that only an unprinted one leads to is not needed either.
    private func isPrinted(_ stack: [StackElement]) -> [Bool] {
        var isPrinted = [Bool](repeating: true, count: stack.count)
        var parentOfNext: Int?
        for index in stack.indices.reversed() {
            let edge = graph.edges[stack[index].edge]
            isPrinted[index] = !edge.isInitial || parentOfNext == nil || parentOfNext == edge.child
            if isPrinted[index] { parentOfNext = edge.parent }
        }
        return isPrinted
    }

    private mutating func appendSegments(of edge: Edge, _ arguments: [BoundParameter]) {
        for segment in edge.segments {
            path.append(ASCII.slash)
            switch segment {
            case .literal(let text): PercentEncoding.append(text, to: &path)
            case .parameter(let name):
                let value = arguments.first { $0.name == name }?.value
                PercentEncoding.append(value?.text ?? "", to: &path)
            }
        }
    }

    private mutating func appendQuery(of edge: Edge, _ arguments: [BoundParameter]) {
        // An initial child is there without its key.
        let openingKey = edge.isInitial ? nil : edge.queryKey
        if let openingKey, !edge.parameters.contains(where: { $0.key == openingKey }) { append(openingKey, nil) }
        for (index, parameter) in edge.parameters.enumerated() where !edge.isInPath(parameter: index) {
            guard let value = arguments.first(where: { $0.name == parameter.name })?.value else { continue }
            // The key that opens a query route must stand there even with the default.
            guard value != parameter.defaultValue || parameter.key == openingKey else { continue }
            append(parameter.key, value.text)
        }
    }

    private mutating func append(_ key: String, _ value: String?) {
        if !query.isEmpty { query.append(ASCII.ampersand) }
        PercentEncoding.append(key, to: &query)
        guard let value else { return }
        query.append(ASCII.equals)
        PercentEncoding.append(value, to: &query)
    }
}
