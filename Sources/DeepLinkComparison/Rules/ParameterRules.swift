import DeepLinkCore

/// The changes of the parameters of one edge, as the files declare them.
struct ParameterRules {
    typealias MakeChange = (ChangeRule, String?, String?) -> DeclaredChange

    private let edge: Edge
    private let new: Edge

    init(_ edge: Edge, _ new: Edge) {
        self.edge = edge
        self.new = new
    }

    /// Lists what was removed, added, or is declared in another way.
    func changes(_ make: MakeChange) -> [DeclaredChange] {
        // Most edges have the same parameters.
        guard edge.parameters != new.parameters || edge.address != new.address else { return [] }
        var changes: [DeclaredChange] = []
        for parameter in edge.parameters {
            if let other = new.parameters.first(where: { $0.identifier == parameter.identifier }) {
                changes += self.changes(parameter, other, make)
            } else {
                changes.append(make(.parameterRemoved, parameter.type.name, nil).of(parameter))
            }
        }
        for parameter in new.parameters
        where !edge.parameters.contains(where: { $0.identifier == parameter.identifier }) {
            let isNeeded = WitnessText.isNeeded(parameter, on: new)
            changes.append(
                make(
                    isNeeded ? .parameterAddedRequired : .parameterAddedOptional,
                    nil,
                    parameter.type.name + (isNeeded ? ", required" : "")
                )
                .of(parameter)
            )
        }
        return changes
    }

    private func changes(_ parameter: Parameter, _ other: Parameter, _ make: MakeChange) -> [DeclaredChange] {
        var changes: [DeclaredChange] = []
        let (place, newPlace) = (Self.place(of: parameter, on: edge), Self.place(of: other, on: new))
        if place.bytewise != newPlace.bytewise {
            changes.append(make(.parameterSourceChanged, place, newPlace).of(parameter))
        }
        let (isNeeded, isNeededNow) = (
            WitnessText.isNeeded(parameter, on: edge), WitnessText.isNeeded(other, on: new)
        )
        if !isNeeded, isNeededNow {
            changes.append(make(.parameterRequired, "optional", "required").of(parameter))
        }
        if isNeeded, !isNeededNow {
            var change = make(.parameterWidened, "required", "optional").of(parameter)
            // Code that counts on a value gets none.
            change.harms = other.defaultValue == nil ? [.apps: .risk] : [.apps: .info]
            changes.append(change)
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
        return changes
    }

    /// The segment or the query key that holds a parameter, and what reading the key leaves.
    private static func place(of parameter: Parameter, on edge: Edge) -> String {
        let patterns = edge.aliases + (edge.pathPattern.map { [$0] } ?? [])
        let isInPath = patterns.contains { pattern in
            pattern.parameterNames.contains { $0.bytewise == parameter.name.bytewise }
        }
        guard !isInPath else { return "path" }
        let keys = parameter.keys.map { "?" + $0 }.joined(separator: " ")
        return parameter.take == .next ? keys : keys + ", shared"
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

    /// Finds a value that one type accepts and the other does not.
    private static func lost(_ type: ParameterType, _ other: ParameterType) -> ParameterValue? {
        ValueExamples.values(of: type, beside: other).first { other.adopt($0) == nil }
    }

    private static func hasNewWord(_ type: ParameterType, _ other: ParameterType) -> Bool {
        let words = Set((type.words ?? []).map(\.bytewise))
        return (other.words ?? []).contains { !words.contains($0.bytewise) }
    }
}

extension DeclaredChange {
    /// The change as one of a parameter.
    fileprivate func of(_ parameter: Parameter) -> DeclaredChange {
        var change = self
        change.parameter = parameter.name.bytewise
        change.trait = .parameter(parameter.name.bytewise)
        return change
    }
}

extension Edge {
    /// The path, unless a query key opens the child.
    fileprivate var pathPattern: PathPattern? { if case .path(let pattern) = address { pattern } else { nil } }
}

extension ParameterType {
    /// The words of an enumeration, or of a list of one.
    fileprivate var words: [String]? {
        switch self {
        case .scalar(.enumeration(let words)), .list(.enumeration(let words), _, _): words
        default: nil
        }
    }
}
