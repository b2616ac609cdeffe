import DeepLinkCore

/// The assignment of names in code to the parts of a catalog, with issues for invalid names.
struct Namer {
    /// The names in one scope of the code.
    struct Scope {
        /// The kind of things in the scope, for messages.
        let kind: String

        let rules: NamingRules.Scope

        /// The assigned names, each with its owner.
        private var taken: [String: String] = [:]

        init(kind: String, _ rules: NamingRules.Scope) {
            self.kind = kind
            self.rules = rules
        }

        /// Assigns a name, or returns its owner if it is already assigned.
        mutating func take(_ identifier: String, for name: String) -> String? {
            if let other = taken[identifier] { return other }
            taken[identifier] = name
            return nil
        }
    }

    private let rules: NamingRules
    private let renames: [ByteText: String]

    /// The issues so far.
    private(set) var issues: [NameIssue] = []

    private var known: Set<NameIssue> = []

    /// The renames that were applied.
    private(set) var usedRenames: Set<ByteText> = []

    init(rules: NamingRules, renames: [ByteText: String]) {
        self.rules = rules
        self.renames = renames
    }

    /// Reports an issue that prevents the generation of code.
    mutating func report(_ code: NameIssue.Code, at location: SourceLocation, message: String, hint: String) {
        let issue = NameIssue(
            code: code,
            location: location,
            message: VisibleText.escaped(message.unicodeScalars),
            hint: VisibleText.escaped(hint.unicodeScalars)
        )
        // A YAML alias maps one place of the file to several in the catalog.
        if known.insert(issue).inserted { issues.append(issue) }
    }

    /// Returns the name of one thing.
    ///
    /// `path` is its name in `--rename`.
    mutating func name(_ name: String, path: String, at location: SourceLocation, in scope: inout Scope) -> String {
        let wanted = renames[path.bytewise]
        if wanted != nil { usedRenames.insert(path.bytewise) }
        let hint = "Generate with `--rename \(path)=…`."
        guard let style = scope.rules.style else {
            let text = wanted ?? name
            if scope.rules.reserved.contains(text) {
                report(
                    .reservedName,
                    at: location,
                    message: "`\(text)` cannot be the name of a \(scope.kind).",
                    hint: hint
                )
            }
            return text
        }
        // A requested name is kept, except for its first letter.
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
                message: "No name of \(rules.language) can be made of `\(wanted ?? name)`, a \(scope.kind).",
                hint: hint
            )
            return "_"
        }
        if rules.classFiles != nil, identifier.utf8.count > ClassFiles.maximumLength {
            report(
                .nameTooLong,
                at: location,
                message:
                    "The name of the \(scope.kind) `\(Self.shortened(name))` would have \(identifier.utf8.count) letters in "
                    + "\(rules.language), where \(ClassFiles.maximumLength) are the most.",
                hint: "Generate with `--rename \(Self.shortened(path))=…`."
            )
        }
        if scope.rules.reserved.contains(identifier) {
            report(
                .reservedName,
                at: location,
                message:
                    "The \(scope.kind) `\(name)` would be `\(identifier)`, which means something else in generated "
                    + "\(rules.language).",
                hint: hint
            )
        } else if let other = scope.take(identifier, for: path) {
            report(
                .nameClash,
                at: location,
                message:
                    "The \(scope.kind)s `\(other)` and `\(path)` would both be `\(identifier)` in \(rules.language).",
                hint: hint
            )
        }
        return identifier
    }

    /// Returns the beginning of a name that is too long for a message.
    private static func shortened(_ name: String) -> String { name.count > 64 ? name.prefix(64) + "…" : name }

    // MARK: Files

    /// Reports types of a route whose class files would have names too long for file systems.
    mutating func checkFiles(of route: NamedRoute, at location: SourceLocation) {
        guard let files = rules.classFiles else { return }
        checkFile(of: [route.identifier], path: route.name, around: route.parameters, files, at: location)
    }

    private mutating func checkFile(
        of names: [String],
        path: String,
        around members: [NamedParameter],
        _ files: ClassFiles,
        at location: SourceLocation
    ) {
        let count = files.length(of: names)
        guard count <= ClassFiles.maximumLength else {
            // A single name that is too long is already reported.
            guard names.allSatisfy({ $0.utf8.count <= ClassFiles.maximumLength }) else { return }
            report(
                .nameTooLong,
                at: location,
                message:
                    "The class of `\(Self.shortened(path))` would be in a file whose name has \(count) bytes, with those of the "
                    + "classes around it; file systems take \(ClassFiles.maximumLength).",
                hint: "Generate with `--rename \(Self.shortened(path))=…`."
            )
            return
        }
        for member in members {
            guard let type = member.type.nested else { continue }
            checkFile(
                of: names + [type.name],
                path: "\(path).\(member.name)",
                around: type.members,
                files,
                at: location
            )
        }
    }

    // MARK: Parameters

    /// Returns the parameters of a route with their names.
    mutating func named(_ parameters: [MergedParameter], of route: Route) -> [NamedParameter] {
        var members = Scope(kind: "parameter", rules.members)
        var types = Scope(kind: "type", rules.types)
        return parameters.map { parameter in
            let path = "\(route.name).\(parameter.name)"
            let identifier = name(parameter.name, path: path, at: route.location, in: &members)
            return NamedParameter(
                name: parameter.name,
                identifier: identifier,
                type: named(parameter.type, member: identifier, path: path, at: route.location, types: &types),
                isAlwaysThere: parameter.isThere,
                defaultValue: parameter.defaultValue
            )
        }
    }

    private mutating func named(
        _ type: ValueShape,
        member: String,
        path: String,
        at location: SourceLocation,
        types: inout Scope
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
        case .list(let element): return .list(named(element, member: member, path: path, at: location, types: &types))
        case .words(let words):
            let typeName = self.typeName(member, path: path, at: location, types: &types)
            var scope = Scope(kind: "word", rules.words)
            let named = words.map { word in
                NamedWord(word: word, identifier: name(word, path: "\(path).\(word)", at: location, in: &scope))
            }
            return .words(name: typeName, named)
        case .object(let fields):
            let typeName = self.typeName(member, path: path, at: location, types: &types)
            var members = Scope(kind: "field", rules.members)
            var inner = Scope(kind: "type", rules.types)
            let named = fields.map { field in
                let fieldPath = "\(path).\(field.name)"
                let identifier = name(field.name, path: fieldPath, at: location, in: &members)
                return NamedParameter(
                    name: field.name,
                    identifier: identifier,
                    type: self.named(field.type, member: identifier, path: fieldPath, at: location, types: &inner),
                    isAlwaysThere: field.isAlwaysThere,
                    defaultValue: nil
                )
            }
            return .object(name: typeName, named)
        }
    }

    /// Returns the name of a parameter's type, derived from the parameter.
    private mutating func typeName(
        _ member: String,
        path: String,
        at location: SourceLocation,
        types: inout Scope
    ) -> String {
        guard types.rules.style != nil else { return member }
        let identifier = member.prefix(1).uppercased() + member.dropFirst()
        let hint = "Generate with `--rename \(path)=…`."
        if types.rules.reserved.contains(identifier) {
            report(
                .reservedName,
                at: location,
                message: "The type of `\(path)` would be `\(identifier)`, which means something else in generated "
                    + "\(rules.language).",
                hint: hint
            )
        } else if let other = types.take(identifier, for: path) {
            report(
                .nameClash,
                at: location,
                message: "The types of `\(other)` and `\(path)` would both be `\(identifier)` in \(rules.language).",
                hint: hint
            )
        }
        return identifier
    }
}
