import DeepLinkCore
import Yams

/// Reads `routes`.
struct RouteReader {
    private static let keys = ["path", "query", "parameters", "authorizationLevel", "opens", "description"]

    let log: IssueLog

    /// Reads the mapping from names to routes.
    func read(_ node: Node) -> [RouteDefinition] {
        MappingReader.pairs(of: node, subject: "`routes`", log: log)
            .map { name, value in
                route(Located(name.value, at: log.location(name.mark)), value)
            }
    }

    private func route(_ name: Located<String>, _ node: Node) -> RouteDefinition {
        let subject = "the route `\(name.value)`"
        let reader = MappingReader(node, subject: subject, keys: Self.keys, log: log)
        let address = address(reader, name)
        let pathNames: [String] =
            if case .path(let pattern) = address.value { pattern.segments.compactMap(\.parameterName) } else { [] }
        return RouteDefinition(
            name: name,
            address: address,
            parameters: reader["parameters"].map { parameters($0, of: subject, pathNames: pathNames) } ?? [],
            authorizationLevel: reader.level("authorizationLevel") ?? .none,
            opens: reader["opens"].map { EdgeReader(log: log).read($0, subject: "`opens` of \(subject)") } ?? [],
            description: reader.string("description")
        )
    }

    private func address(_ reader: MappingReader, _ name: Located<String>) -> Located<RouteAddress> {
        if let path = reader["path"], let query = reader["query"] {
            log.report(
                .pathAndQuery,
                at: query.mark,
                "The route `\(name.value)` has both a `path` and a `query`.",
                hint: "Keep `path` (line \(path.mark?.line ?? 0)) for a place of its own, `query` for one over another."
            )
        }
        if let query = reader.locatedString("query") {
            if query.value.isEmpty {
                let mark = reader["query"]?.mark
                log.report(.invalidValue, at: mark, "`query` is empty.", hint: "Name the key that opens the route.")
            }
            return Located(.query(query.value), at: query.location)
        }
        let path = reader.locatedString("path") ?? name
        do throws(PathPatternError) {
            return Located(.path(try PathPattern(path.value)), at: path.location)
        } catch {
            log.report(
                .invalidPath,
                at: path.location,
                "The path `\(path.value)` \(error.message).",
                hint: "Write segments as clients see them decoded, such as `character/{id}`; `\"\"` is a container."
            )
            return Located(.path(PathPattern([.literal(name.value)])), at: path.location)
        }
    }

    private func parameters(_ node: Node, of subject: String, pathNames: [String]) -> [Located<Parameter>] {
        MappingReader.pairs(of: node, subject: "`parameters` of \(subject)", log: log)
            .compactMap { name, value in
                guard Parameter.isName(name.value) else {
                    log.report(
                        .invalidParameter,
                        at: name.mark,
                        "`\(name.value)` cannot name a parameter.",
                        hint: "A name is letters, digits, `_`, `-` and `.`."
                    )
                    return nil
                }
                let reader = ParameterReader(name: name.value, isInPath: pathNames.contains(name.value), log: log)
                return Located(reader.read(value), at: log.location(name.mark))
            }
    }
}
