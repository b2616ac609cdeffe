import DeepLinkCore

/// The reader of `origins`.
struct OriginReader {
    /// The supported keys.
    static let keys = ["scheme", "hosts", "authority", "pathPrefix", "fragment", "shortLinks"]

    let log: IssueLog

    /// Reads the list.
    func read(_ node: YAMLNode) -> [Located<Origin>] {
        guard let items = node.items, !items.isEmpty else {
            log.report(
                .wrongType,
                at: node.mark,
                message: "`origins` is \(node.items == nil ? node.kindInWords : "empty").",
                hint: "Write a list: `- { scheme: https, hosts: [example.com] }`."
            )
            return []
        }
        let origins = items.flatMap(self.origins)
        var claims = OriginClaims()
        for origin in origins {
            guard let rival = claims.add(origin.value) else { continue }
            log.report(
                .invalidOrigin,
                at: origin.location,
                message: Self.conflict(of: origin.value, with: rival),
                hint: rival == origin.value.authority
                    ? "Remove one of the two." : "Keep one of the two, or give one a `pathPrefix` of its own."
            )
        }
        if let first = origins.first, origins.allSatisfy({ $0.value.hasShortLinks }) {
            log.report(
                .invalidOrigin,
                at: first.location,
                message: "All origins have `shortLinks`, so no route has a link.",
                hint: "Add the origin of the app's links: short links lead to links under it."
            )
        }
        return origins
    }

    /// Returns the description of an origin that claims links of an earlier one with some `authority`.
    private static func conflict(of origin: Origin, with authority: Origin.Authority) -> String {
        let scheme = origin.scheme
        guard authority != origin.authority else {
            return "An earlier origin has the scheme `\(scheme)`, the same host and the same `pathPrefix`."
        }
        let path = origin.pathPrefix.map { "/" + $0 }.joined() + "/…"
        let links = origin.isWeb ? "links of the same host" : "`\(scheme):\(path)`"
        return "An origin of `\(scheme)` with `authority: \(origin.authority.rawValue)` comes after one with "
            + "`authority: \(authority.rawValue)`, and both would read \(links)."
    }

    /// Reads one item with one or several schemes.
    private func origins(_ node: YAMLNode) -> [Located<Origin>] {
        let reader = MappingReader(node, subject: "an origin", keys: Self.keys, log: log)
        return schemes(reader)
            .map { scheme in
                // Issues of the item are reported once, not once for each scheme.
                let own = log.fresh()
                let origin = OriginReader(log: own).origin(scheme, reader: reader.logging(to: own), node: node)
                log.add(own)
                return Located(origin, at: log.location(node.mark))
            }
    }

    private func schemes(_ reader: MappingReader) -> [String] {
        var schemes: [Located<String>] = []
        if reader["scheme"]?.items != nil {
            schemes = reader.strings("scheme") ?? []
            if reader["scheme"]?.items?.isEmpty == true {
                log.report(
                    .missingKey,
                    at: reader["scheme"]?.mark,
                    message: "An origin has an empty list as its `scheme`.",
                    hint: "Write `scheme: https`, or `scheme: [https, http]`."
                )
            }
        } else {
            reader.require("scheme", hint: "Add `scheme: https`.")
            schemes = reader.locatedString("scheme").map { [$0] } ?? []
        }
        return
            schemes.filter { scheme in
                let name = scheme.value
                let isScheme =
                    (try? DeepLink("\(name):/"))?.scheme.bytewise == name.lowercased().bytewise || Self.isWeb(name)
                guard !isScheme else { return true }
                log.report(
                    .invalidOrigin,
                    at: scheme.location,
                    message: "`\(name)` isn't a scheme.",
                    hint: "A scheme is a letter, then letters, digits, `+`, `-` and `.`, without the colon."
                )
                return false
            }
            .map { $0.value }
    }

    private func origin(_ scheme: String, reader: MappingReader, node: YAMLNode) -> Origin {
        let authority = authority(reader, scheme: scheme)
        var hosts = reader.strings("hosts") ?? []
        func isHost(_ text: String) -> Bool {
            guard authority == .segment, Self.isWeb(scheme), text.utf8.starts(with: "*.".utf8) else {
                return Self.isHost(text)
            }
            return Self.isHost(String(Substring(text.utf8.dropFirst(2))))
        }
        for host in hosts where !isHost(host.value) {
            log.report(
                .invalidOrigin,
                at: host.location,
                message: "`\(host.value)` isn't a host.",
                hint: host.value.utf8.contains(UInt8(ascii: "*"))
                    ? "Hosts are compared whole, without wildcards: list each of them, such as `www.example.com`; "
                        + "with `authority: segment`, `*.example.com` matches all of them, and the match is the first "
                        + "segment."
                    : "Write the host alone, such as `example.com`, or with a port, `example.com:8443`."
            )
        }
        let isEmpty = hosts.isEmpty
        hosts.removeAll { !isHost($0.value) }
        if authority != .hosts, reader["hosts"] != nil, !(authority == .segment && Self.isWeb(scheme)) {
            log.report(
                .invalidOrigin,
                at: reader["hosts"]?.mark,
                message:
                    "The origin `\(scheme)` has `hosts`, which `authority: \(authority.rawValue)` does not compare.",
                hint: "Remove `hosts`, or write `authority: hosts`."
            )
            hosts = []
        }
        let fragment = reader.value(
            "fragment",
            as: "a value of `fragment`",
            or: .invalidOrigin,
            hint: "Write `fragment: path`, which continues the path in the fragment, or leave `fragment` out.",
            parse: { $0.bytewise == "path" ? $0 : nil }
        )
        let origin = Origin(
            scheme: scheme,
            hosts: hosts.map { $0.value },
            authority: authority,
            pathPrefix: pathPrefix(reader),
            routesFragment: fragment != nil,
            hasShortLinks: hasShortLinks(reader, scheme: scheme, authority: authority)
        )
        if origin.isWeb, isEmpty {
            log.report(
                .invalidOrigin,
                at: node.mark,
                message: "The origin `\(origin.scheme)` names no host.",
                hint: "Add `hosts: [example.com]`: without it every web link would be yours."
            )
        }
        return origin
    }

    /// Returns whether the origin is for short links.
    ///
    /// It must be an https origin with a host.
    private func hasShortLinks(_ reader: MappingReader, scheme: String, authority: Origin.Authority) -> Bool {
        guard reader.bool("shortLinks") == true else { return false }
        if scheme.lowercased().bytewise != "https" || authority != .hosts {
            log.report(
                .invalidOrigin,
                at: reader["shortLinks"]?.mark,
                message: "The origin `\(scheme)` cannot have `shortLinks`: they are https links with a host.",
                hint: "Write `{ scheme: https, hosts: [go.example.com], shortLinks: true }`, without `authority`."
            )
        }
        if let fragment = reader["fragment"] {
            log.report(
                .invalidOrigin,
                at: fragment.mark,
                message: "An origin with `shortLinks` has `fragment`, but a code is one segment of the path.",
                hint: "Remove `fragment`."
            )
        }
        return true
    }

    private func authority(_ reader: MappingReader, scheme: String) -> Origin.Authority {
        guard let name = reader.string("authority") else { return .hosts }
        let names = Origin.Authority.allCases.map { $0.rawValue }
        guard let authority = Origin.Authority(bytewise: name) else {
            log.report(
                .invalidOrigin,
                at: reader["authority"]?.mark,
                message: "`\(name)` isn't a value of `authority`.",
                hint: SpellingSuggestion.hint(for: name, among: names, listing: "Write one of")
            )
            return .hosts
        }
        guard authority == .hosts || authority == .segment || !Self.isWeb(scheme) else {
            log.report(
                .invalidOrigin,
                at: reader["authority"]?.mark,
                message: "The origin `\(scheme)` cannot have `authority: \(name)`: a web link's host is a host.",
                hint: "Remove `authority` and list the `hosts`, or write `authority: segment`."
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
                message: "The `pathPrefix` `\(text.value)` isn't a path of plain segments.",
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
        // In a link a `*` is an ordinary character of a host; in a catalog it is a wildcard.
        guard !text.utf8.contains(UInt8(ascii: "*")), let link = try? DeepLink("x://\(text)/"), link.segments.isEmpty,
            link.queryItems.isEmpty,
            link.fragment == nil, !link.host.isEmpty
        else { return false }
        return text.utf8.elementsEqual((link.host + (link.port.map { ":\($0)" } ?? "")).utf8)
    }
}

/// The links that origins claim, by scheme, prefix and host.
struct OriginClaims {
    /// A scheme and a prefix: only origins that have both in common can claim the same links.
    private struct Place: Hashable {
        let scheme: ByteText
        let pathPrefix: [ByteText]
    }

    /// The claims of the origins of one place, each with the `authority` of an origin that makes it.
    private struct Claims {
        private var hosts: [ByteText: Origin.Authority] = [:]

        /// The origin that lists no hosts.
        private var withoutHosts: Origin.Authority?

        /// The origin that claims the links of every host.
        private var allHosts: Origin.Authority?

        mutating func add(_ origin: Origin) -> Origin.Authority? {
            let hosts = origin.hosts.map { $0.bytewise }
            let named = hosts.compactMap { self.hosts[$0] }.first
            let isOfAllHosts = !origin.isWeb && origin.authority != .hosts
            let rival =
                isOfAllHosts
                ? withoutHosts ?? self.hosts.values.first
                : allHosts ?? (hosts.isEmpty ? withoutHosts : nil) ?? named
            for host in hosts { self.hosts[host] = origin.authority }
            if hosts.isEmpty { withoutHosts = withoutHosts ?? origin.authority }
            if isOfAllHosts { allHosts = allHosts ?? origin.authority }
            return rival
        }
    }

    private var claims: [Place: Claims] = [:]

    /// Adds the claims of an origin.
    ///
    /// - Returns: the `authority` of an earlier origin that claims some of the same links with the same precedence, or
    ///   `nil` if there is none.
    mutating func add(_ origin: Origin) -> Origin.Authority? {
        let place = Place(scheme: origin.scheme.bytewise, pathPrefix: origin.pathPrefix.map { $0.bytewise })
        return claims[place, default: Claims()].add(origin)
    }
}
