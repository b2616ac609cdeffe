import DeepLinkCore
import Yams

/// Reads `opens` and `entry`: which routes are opened, and how.
struct EdgeReader {
    let log: IssueLog

    /// Reads a mapping from route names to presentations.
    func read(_ node: Node, subject: String) -> [EdgeDefinition] {
        MappingReader.pairs(of: node, subject: subject, log: log)
            .compactMap { name, value in
                edge(Located(name.value, at: log.location(name.mark)), value)
            }
    }

    private func edge(_ route: Located<String>, _ node: Node) -> EdgeDefinition? {
        if case .scalar(let scalar) = node, !node.isNull {
            return presentation(scalar.string, at: node.mark).map { EdgeDefinition(route: route, presentation: $0) }
        }
        let reader = MappingReader(
            node,
            subject: "the edge to `\(route.value)`",
            keys: ["presentation", "initial"],
            log: log
        )
        guard let name = reader.string("presentation") else {
            if reader["presentation"] == nil {
                log.report(
                    .missingKey,
                    at: node.mark,
                    "The edge to `\(route.value)` has no `presentation`.",
                    hint: "Add `presentation: push`, or another of \(Presentation.allNames.joined(separator: ", "))."
                )
            }
            return nil
        }
        return presentation(name, at: reader["presentation"]?.mark)
            .map {
                EdgeDefinition(route: route, presentation: $0, isInitial: reader.bool("initial") ?? false)
            }
    }

    private func presentation(_ name: String, at mark: Mark?) -> Presentation? {
        if let presentation = Presentation(name: name) { return presentation }
        log.report(
            .invalidValue,
            at: mark,
            "`\(name)` is no presentation.",
            hint: Spelling.hint(
                for: name,
                among: Presentation.allNames,
                otherwise: "Presentations are \(Presentation.allNames.joined(separator: ", "))."
            )
        )
        return nil
    }
}
