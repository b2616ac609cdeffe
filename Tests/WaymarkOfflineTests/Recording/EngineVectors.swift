import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Foundation
import WaymarkTestSupport

/// The links of a file of vectors, with their catalog.
struct EngineVectors {
    let catalog: RouteCatalog

    /// The bodies of requests: each link at each level.
    let bodies: [[UInt8]]

    /// Reads every file of JSON in a folder and the folders below it.
    ///
    /// A file has `cases`, each with a `link`, or an `input`, or `checks` with links. Its catalog is named or written
    /// in `catalog`, in the file or in a case. The sample app's counts without one.
    static func all(in folder: URL) throws -> [EngineVectors] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        return try paths.sorted().flatMap { try read(folder.appending(path: $0)) }
    }

    private static func read(_ file: URL) throws -> [EngineVectors] {
        let root = try JSONParser.parse(Array(try Data(contentsOf: file)))
        let cases = root["cases"].items
        guard cases.contains(where: { $0["catalog"] != .null }) else {
            return [vectors(try catalog(named: root["catalog"].text, for: file), cases)]
        }
        return cases.compactMap { one in
            // A case may be right to be refused.
            (try? CatalogLoader.load(Array((one["catalog"].text ?? "").utf8), file: "case.yaml"))
                .map { vectors($0, [one]) }
        }
    }

    /// Loads the catalog of a file: the one of its name beside it, or in `Config`.
    private static func catalog(named name: String?, for file: URL) throws -> RouteCatalog {
        let base = file.deletingPathExtension().lastPathComponent
        let beside = name.map { file.deletingLastPathComponent().appending(path: $0).path }
        let candidates =
            [beside]
            + (name.map { ["examples/apps/\($0)"] } ?? ["examples/\(base).yaml"])
            .map { Checkout.path("Config/\($0)") }
        let path = candidates.compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0) }
        return try CatalogLoader.load(contentsOf: path ?? Checkout.path("Config/routes.yaml"))
    }

    private static func vectors(_ catalog: RouteCatalog, _ cases: [JSONValue]) -> EngineVectors {
        var bodies: [[UInt8]] = []
        for one in cases {
            for request in [one] + one["checks"].items {
                guard let link = request["link"].text ?? request["input"].text else { continue }
                var body = request["with"].members
                body.set(.string(link), for: "link")
                if request["mode"] == .string("append") {
                    body.set(.string("append"), for: "mode")
                    body.set(stack(request["start"]), for: "from")
                }
                bodies.append(JSONValue.object(body).bytes)
                for level in catalog.levels.names {
                    body.set(.string(level.text), for: "level")
                    bodies.append(JSONValue.object(body).bytes)
                }
            }
        }
        return EngineVectors(catalog: catalog, bodies: bodies)
    }

    /// Returns containers, the outermost first, as one stack.
    private static func stack(_ start: JSONValue) -> JSONValue {
        .array(
            start["containers"].items
                .flatMap { container in
                    let root = destination(container["root"], container["presented_as"], container["root_params"])
                    return [root]
                        + container["stack"].items.map { destination($0["screen"], $0["presentation"], $0["params"]) }
                }
        )
    }

    private static func destination(
        _ route: JSONValue,
        _ presentation: JSONValue,
        _ parameters: JSONValue
    ) -> JSONValue {
        .object([
            "route": route, "presentation": presentation == .null ? .string("root") : presentation,
            "parameters": .object(parameters.members),
        ])
    }
}
