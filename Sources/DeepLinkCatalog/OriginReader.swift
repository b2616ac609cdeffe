import DeepLinkCore
import Yams

/// Reads `origins`.
struct OriginReader {
    let log: IssueLog

    /// Reads the list.
    func read(_ node: Node) -> [Located<Origin>] {
        guard case .sequence(let items) = node, !items.isEmpty else {
            log.report(
                .wrongType,
                at: node.mark,
                "`origins` is \(node.sequence == nil ? node.kindInWords : "empty").",
                hint: "Write a list: `- { scheme: https, hosts: [example.com] }`."
            )
            return []
        }
        var origins: [Located<Origin>] = []
        for origin in items.compactMap(origin) {
            if origins.contains(where: { $0.value.scheme == origin.value.scheme }) {
                log.report(
                    .invalidOrigin,
                    at: node.mark,
                    "The scheme `\(origin.value.scheme)` has two origins.",
                    hint: "List all its hosts in one of them."
                )
            }
            origins.append(origin)
        }
        return origins
    }

    private func origin(_ node: Node) -> Located<Origin>? {
        let reader = MappingReader(node, subject: "an origin", keys: ["scheme", "hosts"], log: log)
        guard let scheme = reader.string("scheme") else {
            if reader["scheme"] == nil {
                log.report(.missingKey, at: node.mark, "An origin has no `scheme`.", hint: "Add `scheme: https`.")
            }
            return nil
        }
        guard
            (try? DeepLink("\(scheme):/"))?.scheme == scheme.lowercased()
                || ["http", "https"].contains(scheme.lowercased())
        else {
            log.report(
                .invalidOrigin,
                at: reader["scheme"]?.mark,
                "`\(scheme)` is no scheme.",
                hint: "A scheme is a letter, then letters, digits, `+`, `-` and `.`, without the colon."
            )
            return nil
        }
        let hosts = reader.strings("hosts") ?? []
        for host in hosts where (try? DeepLink("x://\(host.value)/"))?.host.isEmpty != false {
            log.report(
                .invalidOrigin,
                at: host.location,
                "`\(host.value)` is no host.",
                hint: "Write the host alone, such as `example.com`, or with a port, `example.com:8443`."
            )
        }
        let origin = Origin(scheme: scheme, hosts: hosts.map(\.value))
        if origin.isWeb, hosts.isEmpty {
            log.report(
                .invalidOrigin,
                at: node.mark,
                "The origin `\(origin.scheme)` names no host.",
                hint: "Add `hosts: [example.com]`: without it every web link would be yours."
            )
        }
        return Located(origin, at: log.location(node.mark))
    }
}
