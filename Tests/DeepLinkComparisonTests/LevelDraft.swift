import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import WaymarkTestSupport

/// A catalog with levels of its own, whose levels and requirements can change.
struct LevelDraft {
    /// A level by its present name and a former one.
    private struct Level {
        var name: String
        var was: String?
    }

    private let json: String
    private let gate: String
    private var levels: [Level]

    /// The present level of each name in ``json``.
    private var present: [String: String]

    /// Starts with a catalog; `nil` if it has no gate.
    init?(_ catalog: RouteCatalog) {
        guard let gate = catalog.gateLinks.first?.link else { return nil }
        self.gate = gate
        json = String(decoding: CatalogBody(catalog).json, as: UTF8.self)
        levels = catalog.levels.names.map { Level(name: $0.text) }
        present = Dictionary(uniqueKeysWithValues: levels.map { ($0.name, $0.name) })
    }

    /// Changes the levels in one of the ways in which people do.
    mutating func edit(_ random: inout SeededGenerator) {
        let place = Int.random(in: levels.indices, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where place > 0: levels.swapAt(place, place - 1)
        case 1: rename(place, keepingFormer: true)
        case 2: rename(place, keepingFormer: false)
        case 3 where levels.count > LevelLadder.counts.lowerBound:
            let lost = levels.remove(at: place).name
            let other = random.pick(levels).name
            present = present.mapValues { $0 == lost ? other : $0 }
        case 4 where levels.count < LevelLadder.counts.upperBound:
            levels.insert(Level(name: "rung-\(levels.count)-\(place)"), at: place)
        default: break
        }
    }

    private mutating func rename(_ place: Int, keepingFormer: Bool) {
        let (old, new) = (levels[place].name, "new-" + levels[place].name)
        levels[place] = Level(name: new, was: keepingFormer ? old : nil)
        present = present.mapValues { $0 == old ? new : $0 }
    }

    /// Loads the catalog, in which a requirement changes to the level that `other` picks from the names, if any; `nil` if
    /// it isn't a catalog.
    func load(changing other: ([String]) -> String?) -> RouteCatalog? {
        let names = levels.map(\.name)
        let list = levels.map { level in
            level.was.map { "{\"name\":\"\(level.name)\",\"was\":\"\($0)\"}" } ?? "\"\(level.name)\""
        }
        let gates = names.dropFirst().map { "\"\($0)\":\"\(gate)\"" }
        let text = json.replacing(#/"levels":\[[^\]]*\]/#) { _ in "\"levels\":[\(list.joined(separator: ","))]" }
            .replacing(#/"gates":\{[^}]*\}/#) { _ in "\"gates\":{\(gates.joined(separator: ","))}" }
            .replacing(#/"authorizationLevel":"([^"]*)"/#) { match in
                "\"authorizationLevel\":\"\(other(names) ?? present[String(match.1)] ?? names[0])\""
            }
        return try? CatalogLoader.load(Array(text.utf8), file: "generated.json")
    }
}
