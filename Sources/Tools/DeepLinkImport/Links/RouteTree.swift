import DeepLinkCore

/// The paths of all links as a tree: a node for each literal, and one for the values at a place.
struct RouteTree {
    /// A place of the paths.
    struct Node {
        /// The kind of segment between a node and the one before.
        enum Label {
            case root
            case literal(spellings: [String])
            case value
            /// Values that all begin with one sign, such as `@`.
            case sign(UInt8)
        }

        let label: Label
        let parent: Int?
        let depth: Int

        /// The nodes of literals, by each of their spellings.
        var literals: [ByteText: Int] = [:]

        /// The node of values.
        var value: Int?

        /// The nodes of values that begin with a sign, by the sign.
        var signs: [UInt8: Int] = [:]

        /// Whether the node takes all segments from here on.
        var isRest = false

        /// The number of links that lead to the node.
        var links = 0

        /// The number of links that end at the node.
        var ends = 0

        /// The values that led to the node.
        var values = ValueTally()

        /// The words of an enumeration that lead to the node, if there is one.
        var enumeration: [String] = []

        /// The pairs of the query in links that end at the node.
        var keys: [ByteText: ValueTally] = [:]

        /// The name of the parameter in a declared path.
        var declaredName: String?

        /// The declared route at the node.
        var declaredRoute: Int?

        /// A sample of the links that end at the node.
        var samples = LinkSample()
    }

    private(set) var nodes = [Node(label: .root, parent: nil, depth: 0)]

    subscript(node: Int) -> Node {
        get { nodes[node] }
        set { nodes[node] = newValue }
    }

    /// Adds a node below another.
    mutating func add(_ label: Node.Label, below parent: Int) -> Int {
        nodes.append(Node(label: label, parent: parent, depth: nodes[parent].depth + 1))
        let node = nodes.count - 1
        switch label {
        case .root: break
        case .literal(let spellings): for spelling in spellings { nodes[parent].literals[spelling.bytewise] = node }
        case .value: nodes[parent].value = node
        case .sign(let sign): nodes[parent].signs[sign] = node
        }
        return node
    }

    /// Follows the segments of a link, and returns the last node with the number of segments that it took.
    func walk(_ segments: [String], beginsWithLabel: Bool, limit: Int = .max) -> (node: Int, count: Int) {
        var node = 0
        for (place, segment) in segments.enumerated() {
            if place >= limit || nodes[node].isRest {
                return nodes[node].isRest ? (node, segments.count) : (node, place)
            }
            guard let next = child(of: node, segment, isValue: place == 0 && beginsWithLabel) else {
                return (node, place)
            }
            node = next
        }
        return (node, segments.count)
    }

    /// Returns the node to which a segment leads.
    func child(of node: Int, _ segment: String, isValue: Bool) -> Int? {
        let node = nodes[node]
        if isValue { return node.value }
        if let literal = node.literals[segment.bytewise] { return literal }
        if let sign = ValueSign(segment), let child = node.signs[sign.byte] { return child }
        return node.value
    }

    /// The literal that leads to a node, in its most frequent spelling, or `nil` for others.
    func literal(_ node: Int) -> String? {
        if case .literal(let spellings) = nodes[node].label { spellings.first } else { nil }
    }

    /// Turns chains of values of several lengths into one value for the rest of the path.
    ///
    /// Such values look alike. An identifier before a title, or a year before a month, are values of their own.
    mutating func joinRests() {
        for node in nodes.indices where nodes[node].declaredName == nil {
            guard case .value = nodes[node].label, nodes[node].ends > 0 else { continue }
            var (chain, next) = ([node], nodes[node])
            while next.literals.isEmpty, next.signs.isEmpty, let value = next.value, nodes[value].declaredName == nil {
                chain.append(value)
                next = nodes[value]
            }
            guard next.literals.isEmpty, next.signs.isEmpty, chain.count >= 3,
                chain.allSatisfy({ nodes[$0].ends > 0 && nodes[$0].enumeration.isEmpty }),
                chain.allSatisfy({ nodes[$0].values.looksLike(nodes[node].values) })
            else { continue }
            for part in chain.dropFirst() {
                nodes[node].ends += nodes[part].ends
                nodes[node].values.add(nodes[part].values)
                for (key, tally) in nodes[part].keys { nodes[node].keys[key, default: ValueTally()].add(tally) }
                nodes[node].samples.add(nodes[part].samples)
                nodes[part].ends = 0
            }
            nodes[node].value = nil
            nodes[node].isRest = true
        }
    }
}

/// A sample of links that does not depend on their order: those with the smallest hashes.
struct LinkSample {
    /// The links with their hashes, in the order of the hashes.
    private(set) var links: [(hash: UInt64, text: String)] = []

    mutating func insert(_ text: String, limit: Int) {
        let hash = StableHash.hash(text)
        guard links.count < limit || hash < links[limit - 1].hash else { return }
        var (low, high) = (0, links.count)
        while low < high {
            let middle = (low + high) / 2
            if (links[middle].hash, links[middle].text.bytewise) < (hash, text.bytewise) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low == links.count || links[low].text.bytewise != text.bytewise else { return }
        links.insert((hash, text), at: low)
        if links.count > limit { links.removeLast() }
    }

    mutating func add(_ other: LinkSample) {
        for link in other.links { insert(link.text, limit: .max) }
    }
}
