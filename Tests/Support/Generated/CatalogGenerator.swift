package import DeepLinkCore

/// A maker of small catalogs in which much can go wrong: few names, many edges, and every feature now and then.
package struct CatalogGenerator {
    /// The place that every part of a generated catalog names.
    package static let location = SourceLocation(file: "generated", line: 1, column: 1)
    private static let literals = ["a", "b", "c", "x-1", "7"]
    private static let keys = ["k", "m", "s"]

    private var generator: SeededGenerator

    /// The generator of lists of keys, so that the rest of a catalog is the one that its seed made before there were lists.
    private var keyGenerator: SeededGenerator

    /// The generator of grants, likewise.
    private var grantGenerator: SeededGenerator

    /// The levels of the catalogs.
    private let levels: LevelLadder

    /// The grants of the catalogs.
    private let grants: GrantList

    /// Begins at a seed.
    package init(seed: UInt64, levels: LevelLadder = .standard, grants: GrantList = .none) {
        self.levels = levels
        self.grants = grants
        grantGenerator = SeededGenerator(seed: seed &* 3)
        generator = SeededGenerator(seed: seed)
        keyGenerator = SeededGenerator(seed: ~seed)
    }

    private static func located<Value>(_ value: Value) -> Located<Value> { Located(value, at: location) }

    /// Makes a definition; many are refused for ambiguity, and then another seed is tried.
    package mutating func definition() -> CatalogDefinition {
        let names = (0..<Int.random(in: 2...7, using: &generator)).map { "r\($0)" }
        let routes = names.map { name in route(name, among: names) }
        return CatalogDefinition(
            version: "generated",
            origins: origins().map(Self.located),
            plusIsSpace: generator.oneIn(4),
            levels: levels,
            grants: grants,
            gates: gates(),
            entry: edges(to: names, count: 1...3, presentations: [.root], isEntry: true) + [
                EdgeDefinition(route: Self.located("gate"), presentation: .root)
            ],
            routes: routes + [
                RouteDefinition(
                    name: Self.located("gate"),
                    address: Self.located(.path(PathPattern([.literal("gate")])))
                )
            ]
        )
    }

    /// Makes the gates of all levels, in their order, with those of the grants anywhere between them.
    private mutating func gates() -> [GateDefinition] {
        var gates = levels.gated.map { Attainment.level($0) }
        for grant in grants.all.shuffled(using: &grantGenerator) {
            gates.insert(.grant(grant), at: Int.random(in: 0...gates.count, using: &grantGenerator))
        }
        return gates.map { GateDefinition(gives: $0, path: Self.located("/gate")) }
    }

    /// Picks grants: none, one or several.
    private mutating func someGrants() -> GrantSet {
        guard !grants.isEmpty, !grantGenerator.oneIn(3) else { return [] }
        return (0..<grantGenerator.pick([1, 1, 2, 3]))
            .reduce(into: GrantSet()) { set, _ in set.insert(GrantSet(grantGenerator.pick(grants.all))) }
    }

    /// Makes the origin that every link can be printed under, and now and then one that reads links in another way.
    private mutating func origins() -> [Origin] {
        let prefix = generator.oneIn(6) ? ["p"] : []
        let routesFragment = generator.oneIn(5)
        let first =
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                Origin(
                    scheme: "nav",
                    hosts: [],
                    authority: .segment,
                    pathPrefix: prefix,
                    routesFragment: routesFragment
                )
            case 1: Origin(scheme: "nav", hosts: [], authority: .ignore, pathPrefix: prefix)
            default: Origin(scheme: "nav", hosts: ["app"], pathPrefix: prefix, routesFragment: routesFragment)
            }
        let other: Origin? =
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: Origin(scheme: "root", hosts: [], authority: .rootless, pathPrefix: prefix)
            case 1:
                Origin(
                    scheme: "https",
                    hosts: ["a", "*.app.test"],
                    authority: .segment,
                    pathPrefix: prefix,
                    routesFragment: routesFragment
                )
            default: nil
            }
        return [first] + [other].compactMap(\.self)
    }

    private mutating func route(_ name: String, among names: [String]) -> RouteDefinition {
        let address = address()
        return RouteDefinition(
            name: Self.located(name),
            address: Self.located(address),
            aliases: aliases(of: address),
            parameters: parameters(of: address),
            requirements: Requirements(
                authorizationLevel: generator.pick(levels.all),
                grants: someGrants(),
                since: Self.since(name)
            ),
            opens: edges(to: names, count: 0...3, presentations: [.tab, .push, .sheet], isEntry: false),
            link: link()
        )
    }

    /// The versions that a route takes: of some platforms, by its name.
    private static func since(_ name: String) -> RequiredApps {
        let number = name.utf8.reduce(0) { Int($0) &+ Int($1) }
        return RequiredApps(
            ios: number % 3 == 0 ? VersionNumber("\(number % 4).\(number % 7)") : nil,
            android: number % 4 == 0 ? VersionNumber("\(number % 5)") : nil
        )
    }

    /// Makes the key of the link that answers in a route's place; a route that opens others is refused with it.
    private mutating func link() -> Located<Parameter>? {
        guard generator.oneIn(6) else { return nil }
        let type = ParameterType.scalar(.string(min: nil, max: nil, pattern: nil))
        return Self.located(Parameter(name: "to", type: type, key: "to", isRequired: true))
    }

    private mutating func address() -> RouteAddress {
        generator.oneIn(5) ? .query(generator.pick(Self.keys)) : .path(pattern())
    }

    private mutating func pattern() -> PathPattern {
        let count = generator.pick([0, 1, 1, 1, 2, 3])
        return PathPattern(
            (0..<count)
                .map { place in
                    guard generator.oneIn(3) else { return .literal(generator.pick(Self.literals)) }
                    if generator.oneIn(3) { return compound(place) }
                    if place == count - 1, generator.oneIn(6) { return .rest("p\(place)") }
                    return generator.oneIn(4) ? .optional("p\(place)") : .parameter("p\(place)")
                }
        )
    }

    /// Makes a segment of literals with one or two parameters between them.
    private mutating func compound(_ place: Int) -> PathPattern.Segment {
        let (first, second): (Identifier, Identifier) =
            place == 0 ? ("p0", "s0") : place == 1 ? ("p1", "s1") : ("p2", "s2")
        var pieces: [PathPattern.Piece] = generator.oneIn(3) ? [.literal(generator.pick(["a", "-"]))] : []
        pieces += [.parameter(first), .literal(generator.pick(["-", "a", "--", ".1"]))]
        if generator.oneIn(2) { pieces += [.parameter(second)] }
        return .compound(pieces)
    }

    /// Makes another path with the same parameters: literals differ, something is dropped, or a part of a segment is
    /// absent.
    private mutating func aliases(of address: RouteAddress) -> [Located<PathPattern>] {
        guard case .path(let pattern) = address, generator.oneIn(5) else { return [] }
        var segments: [PathPattern.Segment] = pattern.segments.filter { !$0.identifiers.isEmpty }
            .compactMap { segment in
                guard case .compound(let pieces) = segment else { return segment }
                if generator.oneIn(3) { return nil }
                return generator.oneIn(3) ? pieces.lazy.compactMap(\.identifier).first.map { .parameter($0) } : segment
            }
        if generator.oneIn(4) { segments.insert(.wildcard, at: 0) }
        if generator.oneIn(8), segments.last?.isRest != true { segments.append(.wildcardRest) }
        return [Self.located(PathPattern([.literal("alias")] + segments))]
    }

    private mutating func parameters(of address: RouteAddress) -> [Located<Parameter>] {
        var parameters: [Parameter] = []
        if case .path(let pattern) = address {
            for segment in pattern.segments {
                for name in segment.identifiers {
                    let type = scalar()
                    parameters.append(
                        Parameter(
                            name: name,
                            type: .scalar(type),
                            defaultValue: segment.isOptional && generator.oneIn(2) ? type.value(of: "1") : nil
                        )
                    )
                }
            }
        }
        if generator.oneIn(3) { parameters.append(queryParameter("q")) }
        if generator.oneIn(8) { parameters.append(queryParameter("w")) }
        return parameters.map(Self.located)
    }

    private mutating func queryParameter(_ name: Identifier) -> Parameter {
        let type = scalar()
        let key = generator.pick(Self.keys)
        let take = generator.pick([Parameter.Take.next, .next, .shared])
        if generator.oneIn(6), let value = type.value(of: "1") ?? type.value(of: "a") {
            // No file gives a fixed value a key of its own.
            return Parameter(name: name, type: .scalar(type), fixedValue: value)
        }
        let ignoresInvalid = generator.oneIn(5)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            return Parameter(
                name: name,
                type: .list(of: type, min: nil, max: generator.oneIn(3) ? 2 : nil),
                key: key,
                take: take,
                ignoresInvalid: ignoresInvalid,
                separator: keyGenerator.oneIn(3) ? keyGenerator.pick(Array(",-".utf8)) : nil
            )
        case 1:
            let fields: [Parameter] = (["f", "g"] as [Identifier])
                .map { field in
                    let type = scalar()
                    let isRequired = generator.oneIn(2)
                    return Parameter(
                        name: field,
                        type: .scalar(type),
                        key: "\(key).\(field.text)",
                        isRequired: isRequired,
                        defaultValue: !isRequired && generator.oneIn(2) ? type.value(of: "1") : nil
                    )
                }
            return Parameter(
                name: name,
                type: .object(fields),
                key: key,
                take: take,
                ignoresInvalid: ignoresInvalid
            )
        default:
            let isRequired = generator.oneIn(5)
            let others = Self.keys.filter { $0 != key }.shuffled(using: &keyGenerator)
            return Parameter(
                name: name,
                type: .scalar(type),
                key: key,
                otherKeys: keyGenerator.oneIn(4) ? Array(others.prefix(keyGenerator.pick([1, 2]))) : [],
                isRequired: isRequired,
                defaultValue: !isRequired && generator.oneIn(2) ? type.value(of: "1") : nil,
                take: take,
                ignoresInvalid: !isRequired && ignoresInvalid
            )
        }
    }

    private mutating func scalar() -> ScalarType {
        generator.pick([
            .int(min: nil, max: nil), .bool, .double(min: nil, max: nil), .enumeration(["a", "1", "é"]), .uuid,
            .string(min: nil, max: nil, pattern: nil), .string(min: nil, max: nil, pattern: try? TextPattern("[a-z]+")),
            .int(min: nil, max: 5), .string(min: nil, max: nil, pattern: try? TextPattern("[a-z0-9]+")),
        ])
    }

    private mutating func edges(
        to names: [String],
        count: ClosedRange<Int>,
        presentations: [Presentation],
        isEntry: Bool
    ) -> [EdgeDefinition] {
        var chosen = names.shuffled(using: &generator).prefix(Int.random(in: count, using: &generator))
        if isEntry, chosen.isEmpty { chosen = names.prefix(1) }
        var hasInitial = false
        return chosen.flatMap { name -> [EdgeDefinition] in
            let alternatives = generator.oneIn(8) ? 2 : 1
            return (0..<alternatives)
                .map { _ in
                    let isInitial = !hasInitial && generator.oneIn(4)
                    hasInitial = hasInitial || isInitial
                    let address = generator.oneIn(6) || alternatives > 1 ? address() : nil
                    return EdgeDefinition(
                        route: Self.located(name),
                        presentation: generator.pick(presentations),
                        isInitial: isInitial,
                        isLinkable: !generator.oneIn(15),
                        address: address.map(Self.located),
                        aliases: address.map { aliases(of: $0) },
                        parameters: address.map { parameters(of: $0) },
                        requirements: generator.oneIn(6)
                            ? Requirements(authorizationLevel: generator.pick(levels.all), grants: someGrants())
                            : Requirements()
                    )
                }
        }
    }
}
