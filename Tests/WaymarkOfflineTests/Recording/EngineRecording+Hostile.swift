import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Foundation
import WaymarkOffline
import WaymarkTestSupport

extension EngineRecording {
    /// The part of a bundle before its catalog.
    private static let start = Array("{\"sequence\":1,\"issuedAt\":\"1970-01-01T00:00:00Z\",\"catalog\":".utf8)

    /// Adds what strangers may send: bytes that are no bundle and no body, and JSON that is nearly one or is one.
    mutating func hostile(count: Int) throws {
        let corpus = try FuzzCorpus()
        let sample = try SampleApp.catalog()
        try brokenBundles(corpus, of: sample, count: count / 4)
        try brokenBodies(corpus, in: sample, count: count)
        let each = max(24, count / corpus.catalogs.count)
        begin("links of the fuzzer")
        let seeds = corpus.catalogs.map { links(of: corpus, in: $0) }
        begin("mutated bodies")
        for (catalog, bodies) in zip(corpus.catalogs, seeds) {
            mutatedBodies(bodies, of: corpus, in: catalog, count: each)
        }
        begin("mutated stacks")
        for (catalog, bodies) in zip(corpus.catalogs, seeds) { mutatedStacks(of: bodies, in: catalog, count: each) }
        begin("mutated bundles")
        for (catalog, bodies) in zip(corpus.catalogs, seeds) {
            try mutatedBundles(of: catalog, answering: bodies, count: max(10, each / 4))
        }
    }

    /// Adds bundles with changed bytes, and the fuzzer's catalogs in JSON.
    private mutating func brokenBundles(_ corpus: FuzzCorpus, of catalog: RouteCatalog, count: Int) throws {
        begin("broken bundles")
        let bundle = Self.start + CatalogBody(catalog).json + [UInt8(ascii: "}")]
        for text in corpus.catalogTexts { load(Self.start + text + [UInt8(ascii: "}")]) }
        var mutator = ByteMutator(seed: 26)
        for _ in 0..<count { load(mutator.mutated(bundle)) }
    }

    /// Adds bodies with changed bytes, links with changed bytes, the fuzzer's JSON, and bodies over the limits.
    private mutating func brokenBodies(_ corpus: FuzzCorpus, in catalog: RouteCatalog, count: Int) throws {
        begin("broken bodies")
        load(catalog)
        let body = Array(
            #"{"link":"https://loremipsum.com/characters/character/1?sheet=test","mode":"append","from":[{"route":"tabBar","presentation":"root","parameters":{"id":1.5e300}}],"level":"premiumUser","explain":true,"holds":["x"]}"#
                .utf8
        )
        var mutator = ByteMutator(seed: 27)
        var links = LinkMutator(seed: 26)
        for _ in 0..<count {
            resolve(mutator.mutated(body))
            link(mutator.mutated(body))
            let text = String(decoding: links.next(), as: UTF8.self)
            resolve(JSONValue.object(["link": .string(text), "explain": .bool(true)]).bytes)
        }
        for text in corpus.json {
            resolve(text)
            link(text)
        }
        for depth in [31, 32, 33, 10_000] { resolve([UInt8](repeating: UInt8(ascii: "["), count: depth)) }
        resolve([UInt8](repeating: UInt8(ascii: " "), count: 1_048_577))
    }

    /// Adds the fuzzer's links and some generated ones, without a level and at the highest.
    ///
    /// - Returns: the bodies that have a screen or a gate.
    private mutating func links(of corpus: FuzzCorpus, in catalog: RouteCatalog) -> [JSONObject] {
        load(catalog)
        var found: [JSONObject] = []
        var generator = LinkGenerator(seed: 32, in: catalog)
        let generated = (0..<12).map { _ in (link: generator.link(), from: String?.none) }
        for (link, from) in corpus.links + generated {
            var body: JSONObject = ["link": .string(link), "mode": .string(from == nil ? "replace" : "append")]
            if let from { body.set(.string(from), for: "from") }
            resolve(JSONValue.object(body).bytes)
            body.set(.string(catalog.levels.text(of: catalog.levels.highest)), for: "level")
            resolve(JSONValue.object(body).bytes)
            if [200, 403].contains(LocalResolver(catalog).answer(body: JSONValue.object(body).bytes).status) {
                found.append(body)
            }
        }
        return found.isEmpty ? [["link": .string("navigation:/")]] : found
    }

    /// Adds bodies that stay JSON, with other links, modes, levels, stacks and fields.
    private mutating func mutatedBodies(
        _ bodies: [JSONObject],
        of corpus: FuzzCorpus,
        in catalog: RouteCatalog,
        count: Int
    ) {
        load(catalog)
        var fields = Self.fields(of: catalog)
        fields.set(.array(bodies.map { $0["link"] ?? .null }), for: "link")
        let others = JSONValue.object(["other": .array(corpus.links.map { .string($0.link) })])
        let stacks = Self.stacks(of: bodies, in: catalog)
        var mutator = JSONMutator(seed: 29, texts: stacks + [.object(fields), others])
        var generator = SeededGenerator(seed: 28)
        for _ in 0..<count {
            var body = generator.pick(bodies)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let name = generator.oneIn(2) ? "level" : generator.pick(fields.names)
                let values = fields[name]?.items ?? []
                body.set(values.isEmpty ? .null : generator.pick(values), for: name)
            }
            if generator.oneIn(4) {
                body.set(generator.pick(stacks)["stack"], for: "from")
                body.set(.string("append"), for: "mode")
            }
            resolve(mutator.mutated(.object(body), times: Int.random(in: 0...2, using: &generator)).bytes)
        }
    }

    /// Adds bodies for links to stacks that stay JSON.
    private mutating func mutatedStacks(of bodies: [JSONObject], in catalog: RouteCatalog, count: Int) {
        load(catalog)
        let stacks = Self.stacks(of: bodies, in: catalog)
        var mutator = JSONMutator(seed: 33, texts: stacks)
        var generator = SeededGenerator(seed: 34)
        for _ in 0..<count {
            link(mutator.mutated(generator.pick(stacks), times: Int.random(in: 0...2, using: &generator)).bytes)
        }
    }

    /// Returns the bodies for links to the stacks of answers.
    private static func stacks(of bodies: [JSONObject], in catalog: RouteCatalog) -> [JSONValue] {
        bodies.map { EngineBody.linking(toTheAnswerTo: JSONValue.object($0).bytes, in: catalog) }
            .map { (try? JSONParser.parse($0)) ?? .null }
    }

    /// Returns the fields of a body that have few values, with these.
    private static func fields(of catalog: RouteCatalog) -> JSONObject {
        let levels = catalog.levels.names.map { JSONValue.string($0.text) }
        let grants = catalog.grants.names.map { JSONValue.string($0.text) }
        var fields: JSONObject = [
            "level": .array(levels), "holds": .array([.array(levels), .array(grants)]),
            "mode": .array([.string("append"), .string("replace")]), "partial": .array([.bool(true), .bool(false)]),
            "explain": .array([.bool(true), .bool(false)]),
            "app": .array([.string("ios/3.1"), .string("android/0.1")]),
            "arrival": .array(Arrival.allCases.map { .string($0.rawValue) }),
        ]
        if !grants.isEmpty { fields.set(.array(grants.map { .array([$0]) }), for: "grants") }
        return fields
    }

    /// Adds bundles that stay JSON, and what those of them that load answer.
    private mutating func mutatedBundles(
        of catalog: RouteCatalog,
        answering bodies: [JSONObject],
        count: Int
    ) throws {
        let value = try JSONParser.parse(CatalogBody(catalog).json)
        var generator = SeededGenerator(seed: 30)
        var mutator = JSONMutator(seed: 31, texts: [value])
        for _ in 0..<count {
            let changed = mutator.mutated(value, times: Int.random(in: 1...2, using: &generator))
            guard load(Self.start + changed.bytes + [UInt8(ascii: "}")]) != nil else { continue }
            for _ in 0..<3 {
                var body = generator.pick(bodies)
                resolve(JSONValue.object(body).bytes)
                // At the lowest level, and now and then after nothing.
                body.remove("level")
                if generator.oneIn(8) { body.set(.string("append"), for: "mode") }
                resolve(JSONValue.object(body).bytes)
            }
        }
    }
}

/// A maker of bytes out of others: bytes that parsers stumble over, in any place.
private struct ByteMutator {
    private static let pieces = [
        "\"", "{", "}", "[", "]", ",", ":", "null", "-1", "1e400", "9223372036854775808", "\\u0000", "é", "\"",
    ]

    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0..<max(1, bytes.count), using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes.insert(contentsOf: Array(generator.pick(Self.pieces).utf8), at: min(place, bytes.count))
            case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 2: bytes.removeSubrange(min(place, bytes.count)..<min(bytes.count, place + 7))
            case 3: bytes.removeLast(min(bytes.count, Int.random(in: 0...9, using: &generator)))
            default:
                let end = min(bytes.count, place + 40)
                if place < end { bytes.insert(contentsOf: bytes[place..<end], at: place) }
            }
        }
        return bytes
    }
}
