import DeepLinkCore

/// The JSON form of a catalog, as written by `GET /v1/catalog` and `waymark catalog show`: lists of named things, with
/// derived values.
///
/// It is converted into the form of a file before it is read. One reader then knows every key, and a new key needs no
/// change here. Marks refer to positions in the JSON.
struct CatalogDocumentForm {
    /// The key that distinguishes the form from a file's.
    private static let key: ByteText = "catalogVersion"

    let log: IssueLog

    /// Returns whether a tree has this form, and not a file's.
    static func isForm(of root: YAMLNode) -> Bool {
        root.pairs != nil && root[key] != nil && root["routes"]?.pairs == nil
    }

    /// Returns a tree with the same meaning in the form of a file, or the same tree if it already has this form.
    func file(_ root: YAMLNode) -> YAMLNode {
        guard let pairs = root.pairs, Self.isForm(of: root) else { return root }
        let kept = pairs.filter { $0.key.bytewise != Self.key }
            .map { pair in
                switch pair.key.bytewise {
                case "origins": YAMLPair(pair, value: origins(pair.value))
                case "entry": YAMLPair(pair, value: edges(pair.value))
                case "routes":
                    YAMLPair(
                        pair,
                        value: named(pair.value, noun: "a route") { members(of: $0, but: ["name", "location"]) }
                    )
                default: pair
                }
            }
        guard root["version"] == nil else { return YAMLNode(content: .mapping(kept), mark: root.mark) }
        let version = YAMLNode(content: .scalar("1", isPlain: true), mark: root.mark)
        return YAMLNode(
            content: .mapping([YAMLPair(key: "version", mark: root.mark, value: version)] + kept),
            mark: root.mark
        )
    }

    /// Removes empty lists of hosts, because they mean the same as an absent list.
    private func origins(_ node: YAMLNode) -> YAMLNode {
        guard let items = node.items else { return node }
        let origins = items.map { item in
            guard let pairs = item.pairs else { return item }
            let said = pairs.filter { $0.key.bytewise != "hosts" || $0.value.items?.isEmpty != true }
            return YAMLNode(content: .mapping(said), mark: item.mark)
        }
        return YAMLNode(content: .sequence(origins), mark: node.mark)
    }

    /// Returns the members of a route or an edge.
    private func members(of node: YAMLNode, but names: [ByteText]) -> [YAMLPair] {
        (node.pairs ?? []).filter { !names.contains($0.key.bytewise) }
            .compactMap { pair in
                switch pair.key.bytewise {
                case "opens": YAMLPair(pair, value: edges(pair.value))
                case "parameters": YAMLPair(pair, value: named(pair.value, noun: "a parameter", content: parameter))
                // A route that a query key opens has no aliases.
                case "aliases" where node["query"] != nil && pair.value.items?.isEmpty == true: nil
                default: pair
                }
            }
    }

    /// Removes the properties of a parameter that its place implies.
    ///
    /// A parameter without `from` is in the path.
    private func parameter(_ node: YAMLNode) -> [YAMLPair] {
        // All other properties of an inherited value come from its origin.
        if node["inherit"] != nil { return (node.pairs ?? []).filter { $0.key.bytewise == "inherit" } }
        let isInPath = node["from"] == nil
        return (node.pairs ?? [])
            .compactMap { pair in
                switch pair.key.bytewise {
                case "name", "expected": nil
                case "required" where isInPath: nil
                case "fields": YAMLPair(pair, value: named(pair.value, noun: "a field", content: field))
                default: pair
                }
            }
    }

    private func field(_ node: YAMLNode) -> [YAMLPair] {
        let derived: [ByteText] = ["name", "expected", "from"]
        return (node.pairs ?? []).filter { !derived.contains($0.key.bytewise) }
    }

    /// Groups the edges to one route, in their order.
    private func edges(_ node: YAMLNode) -> YAMLNode {
        guard let items = node.items else { return node }
        var names: [(name: String, mark: YAMLMark)] = []
        var lists: [ByteText: [YAMLNode]] = [:]
        for item in items {
            guard let name = name(of: item, key: "route", noun: "an edge") else { continue }
            let edge = YAMLNode(content: .mapping(members(of: item, but: ["route", "location"])), mark: item.mark)
            if lists[name.bytewise] == nil { names.append((name, item.mark)) }
            lists[name.bytewise, default: []].append(edge)
        }
        let pairs = names.compactMap { name, mark in
            lists[name.bytewise]
                .map { list in
                    let value = list.count == 1 ? list[0] : YAMLNode(content: .sequence(list), mark: mark)
                    return YAMLPair(key: name, mark: mark, value: value)
                }
        }
        return YAMLNode(content: .mapping(pairs), mark: node.mark)
    }

    /// Converts a list of named things into a mapping.
    private func named(_ node: YAMLNode, noun: String, content: (YAMLNode) -> [YAMLPair]) -> YAMLNode {
        guard let items = node.items else { return node }
        var seen: Set<ByteText> = []
        let pairs = items.compactMap { item -> YAMLPair? in
            guard let name = name(of: item, key: "name", noun: noun) else { return nil }
            guard seen.insert(name.bytewise).inserted else {
                log.report(
                    .duplicateKey,
                    at: item.mark,
                    message: "The name `\(name)` is given to \(noun) again.",
                    hint: "Remove or rename one of the two."
                )
                return nil
            }
            return YAMLPair(
                key: name,
                mark: item.mark,
                value: YAMLNode(content: .mapping(content(item)), mark: item.mark)
            )
        }
        return YAMLNode(content: .mapping(pairs), mark: node.mark)
    }

    private func name(of item: YAMLNode, key: ByteText, noun: String) -> String? {
        if let name = item[key]?.text, !name.isEmpty { return name }
        log.report(
            .missingKey,
            at: item.mark,
            message: "\(noun.firstLetterUppercased) of this list has no `\(key.string)`.",
            hint: "Use the form of `GET /v1/catalog`, or of a catalog file."
        )
        return nil
    }
}

extension YAMLPair {
    /// Creates a pair of the same key with another value.
    fileprivate init(_ pair: YAMLPair, value: YAMLNode) {
        self.init(key: pair.key, mark: pair.mark, value: value)
    }
}
