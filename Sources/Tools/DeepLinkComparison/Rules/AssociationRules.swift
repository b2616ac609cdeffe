package import DeepLinkCore

/// A function that returns a catalog's rules by which operating systems open its links in the app, host by host.
///
/// The composition root provides it. After an interruption its result is dropped.
package typealias AssociationReader = @Sendable (RouteCatalog, Interruption) -> [AssociatedHost]

/// A host of an https origin, with its rules for operating systems.
package struct AssociatedHost: Sendable {
    /// The host of the origin.
    package let host: ByteText

    /// The apps, and the patterns of the links that open in them.
    package let handed: Set<ByteText>

    /// The patterns of the links that are excluded from the apps.
    package let kept: Set<ByteText>

    /// Creates a host with its rules.
    package init(host: ByteText, handed: Set<ByteText>, kept: Set<ByteText>) {
        self.host = host
        self.handed = handed
        self.kept = kept
    }
}

/// The changes of the links that operating systems open in the app.
struct AssociationRules {
    /// The maximum number of patterns in a finding.
    private static let maximumNamedCount = 20

    private let old: [ByteText: AssociatedHost]
    private let new: [ByteText: AssociatedHost]

    init(
        _ pairing: CatalogPairing,
        read: AssociationReader,
        interruption: Interruption
    ) throws(Interruption.Stop) {
        old = Self.hosts(read(pairing.old, interruption))
        try interruption.check()
        new = Self.hosts(read(pairing.new, interruption))
        try interruption.check()
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
                        host: host,
                        gone: before.handed.subtracting(after.handed),
                        new: after.kept.subtracting(before.kept)
                    ),
                    finding(
                        .associationWidened,
                        host: host,
                        gone: before.kept.subtracting(after.kept),
                        new: after.handed.subtracting(before.handed)
                    ),
                ]
                .compactMap(\.self)
            }
    }

    /// Returns a finding about the removed and added rules of one effect.
    private func finding(
        _ rule: ChangeRule,
        host: ByteText,
        gone: Set<ByteText>,
        new: Set<ByteText>
    ) -> Finding? {
        guard !gone.isEmpty || !new.isEmpty else { return nil }
        var subject = ChangeSubject()
        subject.origin = "https://\(host)".bytewise
        let keeps = rule == .associationNarrowed ? (gone: "", new: "not ") : (gone: "not ", new: "")
        var finding = Finding(
            Finding.Identity(
                rule: rule,
                subject: subject,
                old: Self.text(gone, prefix: keeps.gone),
                new: Self.text(new, prefix: keeps.new)
            )
        )
        finding.words = AssociationWords(gone.union(new)).text(isNarrowed: rule == .associationNarrowed)
        return finding
    }

    private static func text(_ patterns: Set<ByteText>, prefix: String) -> ByteText? {
        guard !patterns.isEmpty else { return nil }
        let named = patterns.sorted().prefix(maximumNamedCount).map { prefix + $0.string }
        let others = patterns.count > named.count ? ", and \(patterns.count - named.count) more" : ""
        return (named.joined(separator: ", ") + others).bytewise
    }
}
