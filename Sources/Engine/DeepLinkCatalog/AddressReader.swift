import DeepLinkCore

/// The reader of a route's address in links: `path` or `query`, `aliases` and `parameters`, on the route or on an edge
/// to it.
struct AddressReader {
    /// The keys that this reader reads.
    static let keys = ["path", "aliases", "query", "parameters"]

    /// The key, beside these, with which an edge lists several paths.
    static let listKey = "paths"

    /// The mapping of the owner of the address.
    let reader: MappingReader

    private var log: IssueLog { reader.log }
    private var subject: String { reader.subject }

    /// Reads `path` or `query`, or returns `nil` if both are absent.
    func address() -> Located<RouteAddress>? {
        if let path = reader["path"], let query = reader["query"] {
            log.report(
                .pathAndQuery,
                at: query.mark,
                message: "\(subject.firstLetterUppercased) has both a `path` and a `query`.",
                hint: "Keep `path` (line \(path.mark.line)) for a place of its own, `query` for one over another."
            )
        }
        if let query = reader.locatedString("query") {
            if query.value.isEmpty {
                log.report(
                    .invalidValue,
                    at: query.location,
                    message: "`query` is empty.",
                    hint: "Name the key that opens the route."
                )
            }
            return Located(.query(query.value), at: query.location)
        }
        return reader.locatedString("path").map { Located(.path(pattern($0)), at: $0.location) }
    }

    /// Reads `paths` as separate addresses, or returns `nil` if the key is absent.
    func addresses() -> [Located<RouteAddress>]? {
        guard let node = reader[Self.listKey] else { return nil }
        for key in ["path", "query"] {
            guard let other = reader[key] else { continue }
            log.report(
                .pathAndQuery,
                at: other.mark,
                message: "\(subject.firstLetterUppercased) has both `\(key)` and `paths`.",
                hint: key.bytewise == "path"
                    ? "Write all paths in `paths`." : "Keep `paths` (line \(node.mark.line)) or `query`."
            )
        }
        if node.items?.isEmpty == true {
            log.report(
                .missingKey,
                at: node.mark,
                message: "`paths` of \(subject) is empty.",
                hint: "Write a list: `[a/{id}, b/{id}]`."
            )
        }
        return reader.strings(Self.listKey)?.map { Located(.path(pattern($0)), at: $0.location) }
    }

    /// Reads a pattern, reporting a malformed one and replacing it with a text that no link has.
    func pattern(_ path: Located<String>) -> PathPattern {
        do throws(PatternError) {
            return try PathPattern(path.value)
        } catch {
            log.report(
                .invalidPath,
                at: path.location,
                message: "The path `\(path.value)` \(error.message).",
                hint: error.hint
                    ?? "Write segments as clients see them decoded, such as `character/{id}`, `list/{page?}` or "
                    + "`files/{path*}`; `\"\"` is a container."
            )
            return PathPattern([.literal("\(path.location.file):\(path.location.line):\(path.location.column)")])
        }
    }

    /// Reads `aliases`, or returns `nil` if the key is absent.
    func aliases() -> [Located<PathPattern>]? {
        reader.strings("aliases")?.map { Located(pattern($0), at: $0.location) }
    }

    /// Reads `parameters`, some of which may be in a path, or returns `nil` if the key is absent.
    func parameters(in path: PathPattern?) -> [Located<Parameter>]? {
        guard let node = reader["parameters"] else { return nil }
        return ParameterReader.readAll(node, subject: "`parameters` of \(subject)", noun: "a parameter", log: log) {
            name in
            path?.isOptional(parameter: name).map { .path(isOptional: $0) } ?? .query
        }
    }
}
