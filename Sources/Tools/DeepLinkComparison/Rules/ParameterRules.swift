import DeepLinkCore

/// The changes of the parameters of one edge, as the files declare them.
struct ParameterRules {
    typealias MakeChange = (ChangeRule, String?, String?) -> DeclaredChange

    let edge: Edge
    let new: Edge

    /// Returns whether the code of published apps relies on a value.
    let isCountedOn: (ByteText) -> Bool

    /// Returns the removed and added parameters, and the parameters with different declarations.
    func changes(_ make: MakeChange) -> [DeclaredChange] {
        // Most edges have the same parameters.
        guard edge.parameters != new.parameters || edge.address != new.address || edge.aliases != new.aliases else {
            return []
        }
        let renamed = renamedInPath
        var changes: [DeclaredChange] = []
        for (index, parameter) in edge.parameters.enumerated() {
            if let place = new.parameters.firstIndex(where: { $0.identifier == parameter.identifier }) {
                changes += self.changes(parameter, at: index, other: new.parameters[place], at: place, make: make)
            } else if let name = renamed.first(where: { $0.old == parameter.identifier })?.new {
                changes.append(make(.pathParameterRenamed, parameter.name, name.text).of(parameter))
            } else {
                var change = make(.parameterRemoved, parameter.type.name, nil).of(parameter)
                if isCountedOn(parameter.name.bytewise) { change.harms = [.apps: .breaking, .code: .breaking] }
                changes.append(change)
            }
        }
        for parameter in new.parameters
        where !edge.parameters.contains(where: { $0.identifier == parameter.identifier })
            && !renamed.contains(where: { $0.new == parameter.identifier })
        {
            let isNeeded = WitnessText.isNeeded(parameter, on: new)
            let rule: ChangeRule = isNeeded ? .parameterAddedRequired : .parameterAddedOptional
            let words = parameter.type.name + (isNeeded ? ", required" : "")
            changes.append(make(rule, nil, words).of(parameter))
        }
        return changes
    }

    /// The renamed path parameters: parameters that only one of the paths has, of the same kind, in order.
    private var renamedInPath: [(old: Identifier, new: Identifier)] {
        guard let before = edge.pathPattern, let after = new.pathPattern else { return [] }
        func own(_ pattern: PathPattern, edge: Edge, other: Edge) -> [Parameter] {
            pattern.segments.flatMap(\.identifiers)
                .compactMap { name in
                    other.parameters.contains { $0.identifier == name }
                        ? nil : edge.parameters.first { $0.identifier == name }
                }
        }
        let (gone, added) = (own(before, edge: edge, other: new), own(after, edge: new, other: edge))
        guard gone.count == added.count else { return [] }
        return zip(gone, added).filter { Self.isSameKind($0.type, $1.type) }.map { ($0.identifier, $1.identifier) }
    }

    private func changes(
        _ parameter: Parameter,
        at index: Int,
        other: Parameter,
        at place: Int,
        make: MakeChange
    ) -> [DeclaredChange] {
        var changes: [DeclaredChange] = []
        let (source, newSource) = (Self.place(of: parameter, on: edge), Self.place(of: other, on: new))
        if source.bytewise != newSource.bytewise {
            var change = make(.parameterSourceChanged, source, newSource).of(parameter)
            if Self.gainsKeys(parameter, other) {
                // Existing links keep their meaning, and a new key adds one.
                change = make(.parameterWidened, source, newSource).of(parameter)
                change.harms = [.links: .info]
            } else if !parameter.otherKeys.isEmpty {
                let kept = Set(other.keys.map(\.bytewise))
                let lost = parameter.keys.map(\.bytewise).first { !kept.contains($0) }
                // The links of the trait carry the first key with its values.
                if let lost, lost != parameter.key.bytewise { change.trait = .key(lost, of: parameter.name.bytewise) }
            }
            change.isRiskUnseen = parameter.take != other.take
            changes.append(change)
        }
        let isNeeded = WitnessText.isNeeded(parameter, on: edge)
        let isNeededNow = WitnessText.isNeeded(other, on: new)
        if !isNeeded, isNeededNow {
            changes.append(make(.parameterRequired, "optional", "required").of(parameter))
        }
        if edge.alwaysHas(parameter: index), !new.alwaysHas(parameter: place) {
            changes.append(optional(parameter, make: make))
        } else if isNeeded, !isNeededNow {
            // Every plan still has a value.
            let words = (other.fixedValue ?? other.defaultValue).map { "optional, \($0.text)" } ?? "optional"
            changes.append(make(.parameterWidened, "required", words).of(parameter))
        }
        guard parameter.type != other.type else { return changes }
        guard Self.isSameKind(parameter.type, other.type) else {
            changes.append(make(.parameterTypeChanged, parameter.type.name, other.type.name).of(parameter))
            return changes
        }
        let (text, newText) = (parameter.type.expectation, other.type.expectation)
        if Self.lost(parameter.type, other.type) != nil {
            changes.append(make(.parameterNarrowed, text, newText).of(parameter))
        }
        if Self.lost(other.type, parameter.type) != nil {
            var change = make(.parameterWidened, text, newText).of(parameter)
            if Self.hasNewWord(parameter.type, other.type) { change.harms = [.apps: .risk] }
            changes.append(change)
        }
        return changes + fields(parameter, other, make: make)
    }

    /// Returns the change of a value that plans always had and may now lack.
    private func optional(_ parameter: Parameter, make: MakeChange) -> DeclaredChange {
        var change =
            if let value = parameter.defaultValue {
                make(.defaultRemoved, value.text, nil).of(parameter)
            } else {
                make(.parameterOptional, "always there", "optional").of(parameter)
            }
        // Another edge opens the route without the value, so generated code handles its absence.
        if !isCountedOn(parameter.name.bytewise) { change.harms = [.apps: .risk] }
        return change
    }

    /// Returns the changes of an object's fields that may now be absent.
    private func fields(_ parameter: Parameter, _ other: Parameter, make: MakeChange) -> [DeclaredChange] {
        guard case .object(let fields) = parameter.type, case .object(let others) = other.type else { return [] }
        return fields.compactMap { field in
            guard field.isRequired || field.defaultValue != nil,
                let new = others.first(where: { $0.identifier == field.identifier }),
                !new.isRequired, new.defaultValue == nil
            else { return nil }
            if let value = field.defaultValue {
                return make(.defaultRemoved, "\(field.name) = \(value.text)", nil).of(parameter)
            }
            return make(.parameterOptional, "\(field.name) always there", "\(field.name) optional").of(parameter)
        }
    }

    /// Describes the place of a parameter: the path, or its query keys, its separator, and whether it is shared.
    private static func place(of parameter: Parameter, on edge: Edge) -> String {
        let patterns = edge.aliases + (edge.pathPattern.map { [$0] } ?? [])
        let isInPath = patterns.contains { pattern in
            pattern.parameterNames.contains { $0.bytewise == parameter.name.bytewise }
        }
        guard !isInPath else { return "path" }
        var keys = parameter.keys.map { "?" + $0 }.joined(separator: " ")
        if let separator = parameter.separator {
            keys += ", separated by \(String(decoding: [separator], as: UTF8.self))"
        }
        return parameter.take == .next ? keys : keys + ", shared"
    }

    /// Returns whether the only difference is additional keys, with the existing ones in the same order.
    private static func gainsKeys(_ parameter: Parameter, _ other: Parameter) -> Bool {
        let keys = parameter.keys.map(\.bytewise)
        let kept = other.keys.map(\.bytewise).filter(Set(keys).contains)
        return !other.otherKeys.isEmpty && !keys.isEmpty && kept == keys && parameter.take == other.take
    }

    private static func isSameKind(_ type: ParameterType, _ other: ParameterType) -> Bool {
        guard case .object(let fields) = type, case .object(let others) = other else {
            return type.name.bytewise == other.name.bytewise
        }
        return fields.count == others.count
            && fields.allSatisfy { field in
                others.contains { $0.identifier == field.identifier && isSameKind(field.type, $0.type) }
            }
    }

    /// Returns a value that one type accepts and the other doesn't.
    private static func lost(_ type: ParameterType, _ other: ParameterType) -> ParameterValue? {
        ValueExamples.values(of: type, beside: other).first { other.adopt($0) == nil }
    }

    private static func hasNewWord(_ type: ParameterType, _ other: ParameterType) -> Bool {
        let words = Set((type.words ?? []).map(\.bytewise))
        return (other.words ?? []).contains { !words.contains($0.bytewise) }
    }
}

extension DeclaredChange {
    /// Returns the change with a parameter as its subject.
    fileprivate func of(_ parameter: Parameter) -> DeclaredChange {
        var change = self
        change.parameter = parameter.name.bytewise
        change.trait = .parameter(parameter.name.bytewise)
        return change
    }
}

extension Edge {
    /// The path, or `nil` if a query key opens the child.
    fileprivate var pathPattern: PathPattern? { if case .path(let pattern) = address { pattern } else { nil } }
}

extension ParameterType {
    /// The words of an enumeration, or of a list with an enumeration.
    fileprivate var words: [String]? {
        switch self {
        case .scalar(.enumeration(let words)), .list(.enumeration(let words), _, _): words.list
        default: nil
        }
    }
}
