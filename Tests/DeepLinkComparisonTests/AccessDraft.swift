import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import WaymarkTestSupport

/// A catalog with levels of its own, and with grants, whose names and requirements can change.
struct AccessDraft {
    /// A level or a grant by its present name and a former one.
    private struct Named {
        var name: String
        var was: String?

        var json: String { was.map { "{\"name\":\"\(name)\",\"was\":\"\($0)\"}" } ?? "\"\(name)\"" }
    }

    /// The requirement of a route or an edge.
    private struct Requirement {
        var level: String
        var grants: Set<String>
    }

    private let json: String
    private let gate: String
    private var levels: [Named]
    private var grants: [Named]

    /// The requirements, in the order of ``json``.
    private var requirements: [Requirement]

    /// Starts with a catalog, to which grants are added; `nil` if it has no gate.
    init?(_ catalog: RouteCatalog, grants count: Int, _ random: inout SeededGenerator) {
        guard let gate = catalog.gateLinks.first?.link else { return nil }
        self.gate = gate
        json = String(decoding: CatalogBody(catalog).json, as: UTF8.self)
        levels = catalog.levels.names.map { Named(name: $0.text) }
        grants = (0..<count).map { Named(name: "grant-\($0)") }
        requirements = []
        for match in json.matches(of: Self.requirement) {
            requirements.append(Requirement(level: String(match.1), grants: []))
        }
        for place in requirements.indices { requirements[place].grants = someGrants(&random) }
    }

    private static var requirement: Regex<(Substring, Substring)> { #/"authorizationLevel":"([^"]*)"/# }

    private func someGrants(_ random: inout SeededGenerator) -> Set<String> {
        var some: Set<String> = []
        for grant in grants where random.oneIn(6) { some.insert(grant.name) }
        return some
    }

    /// Changes the levels or the grants in one of the ways in which people do.
    mutating func edit(_ random: inout SeededGenerator) {
        let place = Int.random(in: levels.indices, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0 where place > 0: levels.swapAt(place, place - 1)
        case 1: rename(level: place, keepingFormer: true)
        case 2: rename(level: place, keepingFormer: false)
        case 3 where levels.count > LevelLadder.counts.lowerBound:
            let lost = levels.remove(at: place).name
            let other = random.pick(levels).name
            for place in requirements.indices where requirements[place].level == lost {
                requirements[place].level = other
            }
        case 4 where levels.count < LevelLadder.counts.upperBound:
            levels.insert(Named(name: "rung-\(levels.count)-\(place)"), at: place)
        case 5, 6:
            guard let place = grants.indices.randomElement(using: &random) else { return }
            rename(grant: place, keepingFormer: random.oneIn(2))
        case 7:
            guard let place = grants.indices.randomElement(using: &random) else { return }
            let lost = grants.remove(at: place).name
            for place in requirements.indices { requirements[place].grants.remove(lost) }
        default: grants.shuffle(using: &random)
        }
    }

    /// Changes some requirements.
    mutating func changeRequirements(_ random: inout SeededGenerator) {
        for place in requirements.indices {
            if random.oneIn(6) { requirements[place].level = random.pick(levels).name }
            if random.oneIn(6) { requirements[place].grants = someGrants(&random) }
        }
    }

    private mutating func rename(level place: Int, keepingFormer: Bool) {
        let (old, new) = (levels[place].name, "new-" + levels[place].name)
        levels[place] = Named(name: new, was: keepingFormer ? old : nil)
        for place in requirements.indices where requirements[place].level == old { requirements[place].level = new }
    }

    private mutating func rename(grant place: Int, keepingFormer: Bool) {
        let (old, new) = (grants[place].name, "new-" + grants[place].name)
        grants[place] = Named(name: new, was: keepingFormer ? old : nil)
        for place in requirements.indices where requirements[place].grants.remove(old) != nil {
            requirements[place].grants.insert(new)
        }
    }

    /// Loads the catalog; `nil` if it isn't one.
    func load() -> RouteCatalog? {
        let list = levels.map(\.json).joined(separator: ",")
        let facts = grants.map(\.json).joined(separator: ",")
        let gates = (levels.dropFirst() + grants).map { "\"\($0.name)\":\"\(gate)\"" }.joined(separator: ",")
        var place = 0
        let text = json.replacing(#/"levels":\[[^\]]*\]/#) { _ in "\"levels\":[\(list)],\"grants\":[\(facts)]" }
            .replacing(#/"gates":\{[^}]*\}/#) { _ in "\"gates\":{\(gates)}" }
            .replacing(Self.requirement) { _ in
                let one = requirements[place]
                place += 1
                let names = one.grants.sorted().map { "\"\($0)\"" }.joined(separator: ",")
                return "\"authorizationLevel\":\"\(one.level)\",\"requires\":[\(names)]"
            }
        return try? CatalogLoader.load(Array(text.utf8), file: "generated.json")
    }
}
