/// The rules for path patterns, their aliases and their parameters.
struct PatternChecks {
    private(set) var issues: [CatalogIssue] = []

    /// Checks every route, and every edge with its own declarations.
    static func issues(of definition: CatalogDefinition) -> [CatalogIssue] {
        var checks = PatternChecks()
        var routes: [ByteText: RouteDefinition] = [:]
        for route in definition.routes { routes[route.name.value.bytewise] = route }
        for route in definition.routes {
            checks.check(route.address, aliases: route.aliases, parameters: route.parameters, of: route.name)
        }
        for edge in definition.routes.flatMap({ $0.opens }) + definition.entry {
            guard let route = routes[edge.route.value.bytewise],
                edge.address != nil || edge.aliases != nil || edge.parameters != nil
            else { continue }
            let address = edge.address ?? route.address
            checks.check(
                address,
                aliases: address.value.patterns.isEmpty ? edge.aliases ?? [] : edge.aliases ?? route.aliases,
                parameters: edge.parameters ?? route.parameters,
                of: edge.route
            )
            checks.reportUntyped(edge, in: address.value.patterns, of: route)
        }
        return checks.issues
    }

    private mutating func check(
        _ address: Located<RouteAddress>,
        aliases: [Located<PathPattern>],
        parameters: [Located<Parameter>],
        of route: Located<String>
    ) {
        issues += KeyChecks.issues(of: parameters, at: address.value, of: route)
        guard let path = address.value.patterns.first else {
            for alias in aliases {
                issues.report(
                    .pathAndQuery,
                    at: alias.location,
                    message:
                        "`\(route.value)` is opened by a query key and has the alias `\(alias.value.text)`, a path.",
                    hint: "Remove `aliases`, or give the route a `path`."
                )
            }
            return
        }
        for alias in aliases { check(alias, beside: path, of: route) }
        if path.hasWildcards {
            issues.report(
                .invalidPath,
                at: address.location,
                message:
                    "The path `\(path.text)` of `\(route.value)` drops the value of `{_}`, so no link could be printed.",
                hint: "Give it a name, or move the pattern to `aliases`, which are not printed."
            )
        }
        for name in path.segments.flatMap({ $0.identifiers }) {
            guard let parameter = parameters.first(where: { $0.value.identifier == name }) else { continue }
            check(parameter, isRest: path.segments.contains(.rest(name)))
        }
        reportMisnamed(parameters, beside: path, of: route)
    }

    /// Warns of a declared parameter that the path lacks, if the path has an undeclared parameter with a similar name:
    /// `productId` beside `{id}`.
    private mutating func reportMisnamed(
        _ parameters: [Located<Parameter>],
        beside path: PathPattern,
        of route: Located<String>
    ) {
        let declared = Set(parameters.map { $0.value.identifier })
        let undeclared = path.segments.flatMap { $0.identifiers }.filter { !declared.contains($0) }
        guard !undeclared.isEmpty else { return }
        let inPath = Set(path.segments.flatMap { $0.identifiers })
        for parameter in parameters where !inPath.contains(parameter.value.identifier) {
            let name = parameter.value.name
            // A parameter with a declared key is meant to be read from the query.
            guard parameter.value.key.bytewise == name.bytewise, parameter.value.otherKeys.isEmpty,
                !parameter.value.isFixed,
                let meant = undeclared.first(where: { Self.areAlike($0.text, name) })
            else { continue }
            issues.report(
                .misnamedParameter,
                at: parameter.location,
                message:
                    "`\(route.value)` declares `\(name)`, which its path `\(path.text)` does not have, and does not "
                    + "declare `\(meant.text)`, which it has.",
                hint:
                    "Write `{\(name)}` in the path, or declare `\(meant.text)`; else `\(name)` is read from the query."
            )
        }
    }

    /// Warns of untyped parameters in an edge's path.
    ///
    /// The edge's own parameters replace the route's, which give them a type. Without a type they accept any text.
    private mutating func reportUntyped(_ edge: EdgeDefinition, in patterns: [PathPattern], of route: RouteDefinition) {
        guard let own = edge.parameters else { return }
        let declared = Set(own.map { $0.value.identifier })
        for name in patterns.flatMap({ $0.segments }).flatMap({ $0.identifiers }) where !declared.contains(name) {
            guard let typed = route.parameters.first(where: { $0.value.identifier == name })?.value.type,
                typed != .scalar(.anyText)
            else { continue }
            issues.report(
                .untypedParameter,
                at: edge.route.location,
                message:
                    "The edge to `\(route.name.value)` has `parameters` of its own, without `\(name.text)`, which is any "
                    + "text here, and \(typed.expectation) by the route.",
                hint: "Add `\(name.text): \(typed.name)` to them: they replace the route's whole."
            )
        }
    }

    /// Returns whether one name is the other with a word before or after it, or nearly the same.
    private static func areAlike(_ one: String, _ other: String) -> Bool {
        func letters(_ name: String) -> [UInt8] {
            name.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") && $0 != ASCII.dot }
                .map { ASCII.isLetter($0) ? $0 | 0x20 : $0 }
        }
        let (one, other) = (letters(one), letters(other))
        let (short, long) = one.count < other.count ? (one, other) : (other, one)
        guard short.count > 1 else { return false }
        if long.starts(with: short) || long.suffix(short.count).elementsEqual(short) { return true }
        let texts = (String(decoding: short, as: UTF8.self), String(decoding: long, as: UTF8.self))
        return short.count > 3 && SpellingSuggestion.closest(to: texts.0, among: [texts.1]) != nil
    }

    private mutating func check(_ alias: Located<PathPattern>, beside path: PathPattern, of route: Located<String>) {
        // If one of several parameters in a segment is optional, so is the whole segment.
        let missing = path.segments.first { segment in
            guard let name = segment.identifier, !segment.isOptional else { return false }
            return !alias.value.segments.contains { other in
                other.identifiers.contains(name) && other.isRest == segment.isRest && !other.isOptional
            }
        }
        let foreign = alias.value.segments.first { segment in
            !segment.identifiers.allSatisfy { name in
                path.segments.contains { $0.identifiers.contains(name) && $0.isRest == segment.isRest }
            }
        }
        guard let segment = missing ?? foreign else { return }
        let fault = missing == nil ? "has `\(segment.text)`, which the path lacks" : "lacks `\(segment.text)`"
        issues.report(
            .invalidPath,
            at: alias.location,
            message: "The alias `\(alias.value.text)` of `\(route.value)` \(fault).",
            hint: "An alias is another expansion of `\(path.text)`: give it the same parameters."
        )
    }

    private mutating func check(_ parameter: Located<Parameter>, isRest: Bool) {
        let name = parameter.value.name
        switch parameter.value.type {
        case .object:
            issues.report(
                .invalidParameter,
                at: parameter.location,
                message: "The parameter `\(name)` is in the path, which cannot hold an object.",
                hint: "Read it from the query: remove `\(name)` from the path."
            )
        case .list where !isRest:
            issues.report(
                .invalidParameter,
                at: parameter.location,
                message: "The parameter `\(name)` is a list, but one segment of the path holds it.",
                hint: "Write `{\(name)*}` at the end of the path to read all segments that are left."
            )
        case .list, .scalar: break
        }
    }
}
