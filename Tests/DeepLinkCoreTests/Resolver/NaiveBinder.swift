import Foundation

@testable import DeepLinkCore

/// A reader of queries as slow as it is simple: it goes through a list of pairs for each parameter of each destination.
struct NaiveBinder {
    private struct Pair {
        let item: QueryItem

        /// The value as it is sent.
        let text: String?
        var isTaken = false
        var isUsed = false
    }

    private var pairs: [Pair]

    init(_ link: DeepLink) {
        let texts = link.pairRanges.map { pair in
            pair.value.map { String(decoding: link.bytes[$0.start..<$0.end], as: UTF8.self) }
        }
        pairs = zip(link.queryItems, texts).map { Pair(item: $0, text: $1) }
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
            let items = read.flatMap { values(at: $0, type, separator: parameter.separator) }
            if !read.isEmpty, !items.contains(nil), parameter.type.accepts(count: items.count) {
                value = .list(items.compactMap(\.self))
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

    private func values(at index: Int, _ type: ScalarType, separator: UInt8?) -> [ParameterValue?] {
        guard let separator, let text = pairs[index].text else { return [value(at: index, type)] }
        let raw = String(decoding: [separator], as: UTF8.self)
        let encoded = "%" + String(separator, radix: 16, uppercase: true)
        let parts = text.components(separatedBy: text.contains(raw) ? raw : encoded)
        return parts.map { type.value(of: PercentEncoding.decode(Array($0.utf8)[...])) }
    }

    private func value(at index: Int, _ type: ScalarType) -> ParameterValue? {
        pairs[index].item.value.map { type.value(of: $0) } ?? type.bareValue
    }
}
