import DeepLinkCore

/// Gives everything of a catalog its name in code, and reports what cannot have one.
struct Namer {
    /// The names that stand side by side in code.
    struct Scope {
        /// What is named, for people.
        let kind: String

        let rules: NamingRules.Scope

        /// The names that are given, each with what has it.
        private var taken: [String: String] = [:]

        init(kind: String, _ rules: NamingRules.Scope) {
            self.kind = kind
            self.rules = rules
        }

        /// Gives a name; whoever has it already is returned.
        mutating func take(_ identifier: String, for name: String) -> String? {
            if let other = taken[identifier] { return other }
            taken[identifier] = name
            return nil
        }
    }

    private let rules: NamingRules
    private let renames: [ByteText: String]

    /// What is wrong so far.
    private(set) var issues: [NameIssue] = []

    private var known: Set<NameIssue> = []

    /// The renames that renamed something.
    private(set) var usedRenames: Set<ByteText> = []

    init(rules: NamingRules, renames: [ByteText: String]) {
        self.rules = rules
        self.renames = renames
    }

    /// Reports something for which there can be no code.
    mutating func report(_ code: NameIssue.Code, at location: SourceLocation, _ message: String, hint: String) {
        let issue = NameIssue(code: code, location: location, message: message, hint: hint)
        // Aliases of YAML put one place of the file to several in the catalog.
        if known.insert(issue).inserted { issues.append(issue) }
    }

    /// Names one thing; `path` is what `--rename` calls it.
    mutating func name(_ name: String, path: String, at location: SourceLocation, in scope: inout Scope) -> String {
        let wanted = renames[path.bytewise]
        if wanted != nil { usedRenames.insert(path.bytewise) }
        let hint = "Generate with `--rename \(path)=…`."
        guard let style = scope.rules.style else {
            let text = wanted ?? name
            if scope.rules.reserved.contains(text) {
                report(.reservedName, at: location, "`\(text)` cannot be the name of a \(scope.kind).", hint: hint)
            }
            return text
        }
        // What was asked for stands as it is, but for its first letter.
        let identifier =
            wanted.map { wanted in
                guard IdentifierCase.isIdentifier(wanted) else { return nil }
                guard case .upperCamel = style else { return wanted }
                return wanted.prefix(1).uppercased() + wanted.dropFirst()
            } ?? (wanted == nil ? style.identifier(of: name) : nil)
        guard let identifier else {
            report(
                .illegalName,
                at: location,
                "No name of \(rules.language) can be made of `\(wanted ?? name)`, a \(scope.kind).",
                hint: hint
            )
            return "_"
        }
        if scope.rules.reserved.contains(identifier) {
            report(
                .reservedName,
                at: location,
                "The \(scope.kind) `\(name)` would be `\(identifier)`, which means something else in generated "
                    + "\(rules.language).",
                hint: hint
            )
        } else if let other = scope.take(identifier, for: path) {
            report(
                .nameClash,
                at: location,
                "The \(scope.kind)s `\(other)` and `\(path)` would both be `\(identifier)` in \(rules.language).",
                hint: hint
            )
        }
        return identifier
    }

    // MARK: Parameters

    /// Names the parameters of a route.
    mutating func named(_ parameters: [MergedParameter], of route: Route) -> [NamedParameter] {
        var members = Scope(kind: "parameter", rules.members)
        var types = Scope(kind: "type", rules.types)
        return parameters.map { parameter in
            let path = "\(route.name).\(parameter.name)"
            let identifier = name(parameter.name, path: path, at: route.location, in: &members)
            return NamedParameter(
                name: parameter.name,
                identifier: identifier,
                type: named(parameter.type, identifier, path: path, at: route.location, &types),
                isAlwaysThere: parameter.isThere,
                defaultValue: parameter.defaultValue
            )
        }
    }

    private mutating func named(
        _ type: ValueShape,
        _ member: String,
        path: String,
        at location: SourceLocation,
        _ types: inout Scope
    ) -> NamedType {
        switch type {
        case .text: return .text
        case .int(let isSafe): return .int(isSafe: isSafe)
        case .double: return .double
        case .bool: return .bool
        case .any: return .any
        case .uuid: return .uuid
        case .date: return .date
        case .dateTime: return .dateTime
        case .list(let element): return .list(named(element, member, path: path, at: location, &types))
        case .words(let words):
            let typeName = self.typeName(member, path: path, at: location, &types)
            var scope = Scope(kind: "word", rules.words)
            let named = words.map { word in
                NamedWord(word: word, identifier: name(word, path: "\(path).\(word)", at: location, in: &scope))
            }
            return .words(name: typeName, named)
        case .object(let fields):
            let typeName = self.typeName(member, path: path, at: location, &types)
            var members = Scope(kind: "field", rules.members)
            var inner = Scope(kind: "type", rules.types)
            let named = fields.map { field in
                let fieldPath = "\(path).\(field.name)"
                let identifier = name(field.name, path: fieldPath, at: location, in: &members)
                return NamedParameter(
                    name: field.name,
                    identifier: identifier,
                    type: self.named(field.type, identifier, path: fieldPath, at: location, &inner),
                    isAlwaysThere: field.isAlwaysThere,
                    defaultValue: nil
                )
            }
            return .object(name: typeName, named)
        }
    }

    /// Names the type of a parameter after the parameter.
    private mutating func typeName(
        _ member: String,
        path: String,
        at location: SourceLocation,
        _ types: inout Scope
    ) -> String {
        guard types.rules.style != nil else { return member }
        let identifier = member.prefix(1).uppercased() + member.dropFirst()
        let hint = "Generate with `--rename \(path)=…`."
        if types.rules.reserved.contains(identifier) {
            report(
                .reservedName,
                at: location,
                "The type of `\(path)` would be `\(identifier)`, which means something else in generated "
                    + "\(rules.language).",
                hint: hint
            )
        } else if let other = types.take(identifier, for: path) {
            report(
                .nameClash,
                at: location,
                "The types of `\(other)` and `\(path)` would both be `\(identifier)` in \(rules.language).",
                hint: hint
            )
        }
        return identifier
    }
}
