package import DeepLinkCore

/// The rules by which operating systems hand links to the app, host by host, as far as a comparison needs them.
package typealias AssociationReader = @Sendable (RouteCatalog) -> [AssociatedHost]

/// A host of an https origin, with the patterns of the paths that belong to the app.
package struct AssociatedHost: Sendable {
    /// The host.
    package let host: ByteText

    /// The patterns, each by its text.
    package let patterns: Set<ByteText>

    /// Puts a host and its patterns together.
    package init(host: ByteText, patterns: Set<ByteText>) {
        self.host = host
        self.patterns = patterns
    }

    /// Reads the patterns off a catalog: the first segments that links can have, containers passed through.
    package static func all(of catalog: RouteCatalog) -> [AssociatedHost] {
        var patterns: Set<ByteText> = []
        var seen: Set<Int> = []
        var queue = Array(catalog.entry)
        while let index = queue.popLast() {
            let edge = catalog.edges[index]
            guard edge.isLinkable, seen.insert(index).inserted else { continue }
            for pattern in edge.pathPatterns {
                guard let first = AddressText.shape(of: pattern).utf8.split(separator: UInt8(ascii: "/")).first else {
                    queue += catalog.routes[edge.child].opens
                    continue
                }
                patterns.insert(String(Substring(first)).bytewise)
            }
        }
        return catalog.origins.filter { $0.scheme.bytewise == "https" }
            .flatMap { origin in
                origin.hosts.map { host in
                    let prefix = origin.pathPrefix.map { "/" + $0 }.joined()
                    return AssociatedHost(
                        host: host.bytewise,
                        patterns: Set(patterns.map { (prefix + "/" + $0.string).bytewise })
                    )
                }
            }
    }
}

/// The changes of what operating systems hand to the app.
struct AssociationRules {
    private let old: [ByteText: Set<ByteText>]
    private let new: [ByteText: Set<ByteText>]

    init(_ pairing: CatalogPairing, _ read: AssociationReader) {
        old = Self.patterns(read(pairing.old))
        new = Self.patterns(read(pairing.new))
    }

    private static func patterns(_ hosts: [AssociatedHost]) -> [ByteText: Set<ByteText>] {
        hosts.reduce(into: [:]) { $0[$1.host, default: []].formUnion($1.patterns) }
    }

    /// The findings, host by host.
    var findings: [Finding] {
        Set(old.keys).union(new.keys).sorted()
            .flatMap { host -> [Finding] in
                let (before, after) = (old[host] ?? [], new[host] ?? [])
                return [
                    finding(.associationNarrowed, host, before.subtracting(after), isOld: true),
                    finding(.associationWidened, host, after.subtracting(before), isOld: false),
                ]
                .compactMap(\.self)
            }
    }

    private func finding(_ rule: ChangeRule, _ host: ByteText, _ patterns: Set<ByteText>, isOld: Bool) -> Finding? {
        guard !patterns.isEmpty else { return nil }
        var subject = ChangeSubject()
        subject.origin = "https://\(host)".bytewise
        let text = patterns.sorted().map(\.string).joined(separator: " ").bytewise
        return Finding(
            Finding.Identity(rule: rule, subject: subject, old: isOld ? text : nil, new: isOld ? nil : text)
        )
    }
}

extension Edge {
    /// The path and its aliases; none for a query route.
    fileprivate var pathPatterns: [PathPattern] {
        if case .path(let pattern) = address { [pattern] + aliases } else { [] }
    }
}
