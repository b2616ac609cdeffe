@testable import DeepLinkCore

/// A reader of queries as slow as it is simple: it goes through a list of pairs for each parameter of each destination.
struct NaiveBinder {
    private struct Pair {
        let item: QueryItem
        var isTaken = false
        var isUsed = false
    }

    private var pairs: [Pair]

    init(_ link: DeepLink) {
        pairs = link.queryItems.map { Pair(item: $0) }
    }

    /// The pairs that nothing has used, in the order of the link.
    var unused: [QueryItem] { pairs.filter { !$0.isUsed }.map(\.item) }

    /// Reads what an edge takes from the query; by its key, if that opened it.
    mutating func values(of edge: Edge, isOpenedByKey: Bool) -> [BoundParameter] {
        let opener = isOpenedByKey ? edge.queryKey.flatMap { open($0).first } : nil
        var values: [BoundParameter] = []
        for (index, parameter) in edge.parameters.enumerated() where !edge.isInPath[index] {
            guard let value = value(of: parameter) else { continue }
            values.append(BoundParameter(name: parameter.name, value: value))
        }
        if let opener {
            pairs[opener].isTaken = true
            pairs[opener].isUsed = true
        }
        return values
    }

    /// Reads one value; what does not fit is ignored, since a link that is refused for it never comes here.
    private mutating func value(of parameter: Parameter) -> ParameterValue? {
        if let value = parameter.fixedValue { return value }
        var read: [Int] = []
        var value: ParameterValue?
        switch parameter.type {
        case .scalar(let type):
            let first = ([parameter.key] + parameter.otherKeys).lazy.compactMap { [self] in open($0).first }.first
            if let first {
                read = [first]
                value = self.value(at: first, type)
            }
        case .list(let type, _, _):
            read = open(parameter.key)
            let items = read.compactMap { self.value(at: $0, type) }
            if !read.isEmpty, items.count == read.count, parameter.type.accepts(count: items.count) {
                value = .list(items)
            }
        case .object(let fields):
            (read, value) = object(fields)
        }
        guard let value else { return parameter.defaultValue }
        for index in read {
            pairs[index].isUsed = true
            if parameter.take == .next { pairs[index].isTaken = true }
        }
        return value
    }

    private func object(_ fields: [Parameter]) -> (read: [Int], value: ParameterValue?) {
        var read: [Int] = []
        var values: [BoundParameter] = []
        guard fields.contains(where: { !open($0.key).isEmpty }) else { return ([], nil) }
        for field in fields {
            guard case .scalar(let type) = field.type else { continue }
            if let first = open(field.key).first {
                guard let value = value(at: first, type) else { return ([], nil) }
                read.append(first)
                values.append(BoundParameter(name: field.name, value: value))
            } else if field.isRequired {
                return ([], nil)
            } else if let value = field.defaultValue {
                values.append(BoundParameter(name: field.name, value: value))
            }
        }
        return (read, .object(values))
    }

    /// The pairs of a key that nothing has taken.
    private func open(_ key: String) -> [Int] {
        pairs.indices.filter { !pairs[$0].isTaken && pairs[$0].item.name.utf8.elementsEqual(key.utf8) }
    }

    private func value(at index: Int, _ type: ScalarType) -> ParameterValue? {
        pairs[index].item.value.map { type.value(of: $0) } ?? type.bareValue
    }
}
