import DeepLinkCore

/// The reader of `origins`.
struct OriginReader {
    /// The keys that mean something here.
    static let keys = ["scheme", "hosts", "authority", "pathPrefix"]

    let log: IssueLog

    /// Reads the list.
    func read(_ node: YAMLNode) -> [Located<Origin>] {
        guard let items = node.items, !items.isEmpty else {
            log.report(
                .wrongType,
                at: node.mark,
                "`origins` is \(node.items == nil ? node.kindInWords : "empty").",
                hint: "Write a list: `- { scheme: https, hosts: [example.com] }`."
            )
            return []
        }
        var origins: [Located<Origin>] = []
        for origin in items.compactMap(origin) {
            let clashes = origins.map(\.value)
                .contains { other in
                    other.scheme.bytewise == origin.value.scheme.bytewise
                        && other.pathPrefix.map(\.bytewise) == origin.value.pathPrefix.map(\.bytewise)
                        && (other.authority != .hosts || origin.value.authority != .hosts
                            || other.hosts.isEmpty && origin.value.hosts.isEmpty
                            || !Set(other.hosts.map(\.bytewise)).isDisjoint(with: origin.value.hosts.map(\.bytewise)))
                }
            if clashes {
                log.report(
                    .invalidOrigin,
                    at: origin.location,
                    "An origin before has the scheme `\(origin.value.scheme)`, the same host and the same `pathPrefix`.",
                    hint: "Remove one of the two."
                )
            }
            origins.append(origin)
        }
        return origins
    }

    private func origin(_ node: YAMLNode) -> Located<Origin>? {
        let reader = MappingReader(node, subject: "an origin", keys: Self.keys, log: log)
        guard let scheme = reader.string("scheme") else {
            if reader["scheme"] == nil {
                log.report(.missingKey, at: node.mark, "An origin has no `scheme`.", hint: "Add `scheme: https`.")
            }
            return nil
        }
        guard
            (try? DeepLink("\(scheme):/"))?.scheme.bytewise == scheme.lowercased().bytewise || Self.isWeb(scheme)
        else {
            log.report(
                .invalidOrigin,
                at: reader["scheme"]?.mark,
                "`\(scheme)` is no scheme.",
                hint: "A scheme is a letter, then letters, digits, `+`, `-` and `.`, without the colon."
            )
            return nil
        }
        var hosts = reader.strings("hosts") ?? []
        for host in hosts where !Self.isHost(host.value) {
            log.report(
                .invalidOrigin,
                at: host.location,
                "`\(host.value)` is no host.",
                hint: host.value.utf8.contains(UInt8(ascii: "*"))
                    ? "Hosts are compared whole, and a `*` stands for nothing: list each of them, such as `www.example.com`."
                    : "Write the host alone, such as `example.com`, or with a port, `example.com:8443`."
            )
        }
        let isEmpty = hosts.isEmpty
        hosts.removeAll { !Self.isHost($0.value) }
        let authority = authority(reader, scheme)
        if authority != .hosts, reader["hosts"] != nil {
            log.report(
                .invalidOrigin,
                at: reader["hosts"]?.mark,
                "The origin `\(scheme)` has `hosts`, which `authority: \(authority.rawValue)` does not compare.",
                hint: "Remove `hosts`, or write `authority: hosts`."
            )
            hosts = []
        }
        let origin = Origin(
            scheme: scheme,
            hosts: hosts.map(\.value),
            authority: authority,
            pathPrefix: pathPrefix(reader)
        )
        if origin.isWeb, isEmpty {
            log.report(
                .invalidOrigin,
                at: node.mark,
                "The origin `\(origin.scheme)` names no host.",
                hint: "Add `hosts: [example.com]`: without it every web link would be yours."
            )
        }
        return Located(origin, at: log.location(node.mark))
    }

    private func authority(_ reader: MappingReader, _ scheme: String) -> Origin.Authority {
        guard let name = reader.string("authority") else { return .hosts }
        let names = Origin.Authority.allCases.map(\.rawValue)
        guard let authority = Origin.Authority(bytewise: name) else {
            log.report(
                .invalidOrigin,
                at: reader["authority"]?.mark,
                "`\(name)` is no way to read the place of the host.",
                hint: SpellingSuggestion.hint(
                    for: name,
                    among: names,
                    otherwise: "Write one of \(names.joined(separator: ", "))."
                )
            )
            return .hosts
        }
        guard authority == .hosts || !Self.isWeb(scheme) else {
            log.report(
                .invalidOrigin,
                at: reader["authority"]?.mark,
                "The origin `\(scheme)` cannot have `authority: \(name)`: a web link's host is a host.",
                hint: "Remove `authority` and list the `hosts`."
            )
            return .hosts
        }
        return authority
    }

    private func pathPrefix(_ reader: MappingReader) -> [String] {
        guard let text = reader.locatedString("pathPrefix") else { return [] }
        let trimmed =
            text.value.utf8.first == UInt8(ascii: "/") ? String(text.value.utf8.dropFirst()) ?? "" : text.value
        let segments = (try? PathPattern(trimmed))?.segments ?? []
        let literals = segments.compactMap { segment -> String? in
            if case .literal(let text) = segment { text } else { nil }
        }
        if literals.isEmpty || literals.count < segments.count {
            log.report(
                .invalidOrigin,
                at: text.location,
                "The `pathPrefix` `\(text.value)` is no path of plain segments.",
                hint: "Write the segments that come before every route, such as `/app`."
            )
        }
        return literals
    }

    private static func isWeb(_ scheme: String) -> Bool {
        let scheme = scheme.lowercased()
        return scheme.bytewise == "http" || scheme.bytewise == "https"
    }

    /// Returns whether a text is a host, possibly with a port, and nothing more.
    static func isHost(_ text: String) -> Bool {
        // In a link a `*` is a character of a host like others; in a catalog it is meant to stand for several hosts.
        guard !text.utf8.contains(UInt8(ascii: "*")), let link = try? DeepLink("x://\(text)/"), link.segments.isEmpty,
            link.queryItems.isEmpty,
            link.fragment == nil, !link.host.isEmpty
        else { return false }
        return text.utf8.elementsEqual((link.host + (link.port.map { ":\($0)" } ?? "")).utf8)
    }
}
