import DeepLinkCore
import DeepLinkFormats
import WaymarkOffline
import WaymarkTestSupport

/// The bodies of requests.
enum EngineBody {
    /// Returns the body of a golden case.
    static func of(_ one: GoldenCase) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("link")
            writer.string(one.link)
            writer.key("mode")
            writer.string(one.mode.rawValue)
            switch one.from {
            case .link(let link)?:
                writer.key("from")
                writer.string(link.text)
            case .stack(let stack)?:
                writer.key("from")
                writer.stack(stack)
            case nil: break
            }
            writer.key("partial")
            writer.value(.bool(one.acceptsPart))
            write(one.permissions, in: one.catalog, to: &writer)
            if let app = one.app {
                writer.key("app")
                writer.string(app.text)
            }
            writer.key("explain")
            writer.value(.bool(one.note.utf8.count.isMultiple(of: 3)))
        }
        return writer.bytes
    }

    /// Returns the body of a link at a random level.
    static func of(_ link: String, in catalog: RouteCatalog, _ generator: inout SeededGenerator) -> [UInt8] {
        var permissions = Permissions(level: generator.pick(catalog.levels.all))
        for place in catalog.grants.names.indices where generator.oneIn(2) {
            permissions = permissions.adding(.grant(Grant(place: UInt8(place))))
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("link")
            writer.string(link)
            if !generator.oneIn(5) { write(permissions, in: catalog, to: &writer) }
            if generator.oneIn(4) {
                writer.key("from")
                var links = LinkGenerator(seed: generator.next(), in: catalog)
                writer.string(links.link())
                writer.key("mode")
                writer.string(generator.oneIn(4) ? "replace" : "append")
            }
            for name in ["partial", "explain"] where generator.oneIn(4) {
                writer.key(name)
                writer.value(.bool(!generator.oneIn(4)))
            }
            if generator.oneIn(4) {
                writer.key("app")
                writer.string(generator.pick(["ios/1.2", "android/3.1.0", "ios/0", "browser/1", "tv/1"]))
            }
            guard generator.oneIn(4) else { return }
            writer.key("holds")
            writer.array(["other"] + catalog.grants.names.map(\.text) + catalog.levels.names.map(\.text)) {
                $0.string($1)
            }
        }
        return writer.bytes
    }

    /// Returns a request for the link to the stack of an answer, or to the last route if the answer has none.
    static func linking(toTheAnswerTo body: [UInt8], in catalog: RouteCatalog) -> [UInt8] {
        let answer = LocalResolver(catalog).answer(body: body).body
        var writer = JSONWriter()
        writer.object { writer in
            guard case .object(let members)? = try? JSONParser.parse(answer), let stack = members["stack"] else {
                writer.key("route")
                writer.string(catalog.routes.last?.name)
                return
            }
            writer.key("stack")
            writer.json(stack)
        }
        return writer.bytes
    }

    private static func write(_ permissions: Permissions, in catalog: RouteCatalog, to writer: inout JSONWriter) {
        let highest = catalog.levels.all.last ?? .lowest
        writer.key("level")
        writer.string(catalog.levels.text(of: min(permissions.level, highest)))
        let grants = catalog.grants.names.indices.map { Grant(place: UInt8($0)) }
            .filter { permissions.grants.contains(GrantSet($0)) }
        guard !grants.isEmpty else { return }
        writer.key("grants")
        writer.array(grants) { $0.string(catalog.grants.text(of: $1)) }
    }
}
