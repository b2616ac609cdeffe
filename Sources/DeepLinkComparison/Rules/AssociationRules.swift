package import DeepLinkCore

/// What reads off a catalog by which rules operating systems hand its links to the app, host by host; whoever puts the
/// program together knows it.
package typealias AssociationReader = @Sendable (RouteCatalog) -> [AssociatedHost]

/// A host of an https origin, with what operating systems are told about it.
package struct AssociatedHost: Sendable {
    /// The host.
    package let host: ByteText

    /// The apps, and the patterns of what is handed to them.
    package let handed: Set<ByteText>

    /// The patterns of what is kept from them.
    package let kept: Set<ByteText>

    /// Puts a host and its rules together.
    package init(host: ByteText, handed: Set<ByteText>, kept: Set<ByteText>) {
        self.host = host
        self.handed = handed
        self.kept = kept
    }
}

/// The changes of what operating systems hand to the app.
struct AssociationRules {
    /// The most patterns that a finding names.
    private static let maximumNamedCount = 20

    private let old: [ByteText: AssociatedHost]
    private let new: [ByteText: AssociatedHost]

    init(_ pairing: CatalogPairing, _ read: AssociationReader) {
        old = Self.hosts(read(pairing.old))
        new = Self.hosts(read(pairing.new))
    }

    private static func hosts(_ hosts: [AssociatedHost]) -> [ByteText: AssociatedHost] {
        Dictionary(hosts.map { ($0.host, $0) }, uniquingKeysWith: { one, _ in one })
    }

    /// The findings, host by host.
    var findings: [Finding] {
        Set(old.keys).union(new.keys).sorted()
            .flatMap { host -> [Finding] in
                let none = AssociatedHost(host: host, handed: [], kept: [])
                let (before, after) = (old[host] ?? none, new[host] ?? none)
                return [
                    finding(
                        .associationNarrowed,
                        host,
                        before.handed.subtracting(after.handed),
                        after.kept.subtracting(before.kept)
                    ),
                    finding(
                        .associationWidened,
                        host,
                        before.kept.subtracting(after.kept),
                        after.handed.subtracting(before.handed)
                    ),
                ]
                .compactMap(\.self)
            }
    }

    /// Tells which rules are gone and which are new, to one effect.
    private func finding(
        _ rule: ChangeRule,
        _ host: ByteText,
        _ gone: Set<ByteText>,
        _ new: Set<ByteText>
    ) -> Finding? {
        guard !gone.isEmpty || !new.isEmpty else { return nil }
        var subject = ChangeSubject()
        subject.origin = "https://\(host)".bytewise
        let keeps = rule == .associationNarrowed ? (gone: "", new: "not ") : (gone: "not ", new: "")
        return Finding(
            Finding.Identity(
                rule: rule,
                subject: subject,
                old: Self.text(gone, keeps.gone),
                new: Self.text(new, keeps.new)
            )
        )
    }

    private static func text(_ patterns: Set<ByteText>, _ prefix: String) -> ByteText? {
        guard !patterns.isEmpty else { return nil }
        let named = patterns.sorted().prefix(maximumNamedCount).map { prefix + $0.string }
        let others = patterns.count > named.count ? ", and \(patterns.count - named.count) more" : ""
        return (named.joined(separator: ", ") + others).bytewise
    }
}
