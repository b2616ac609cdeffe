import DeepLinkCore

/// The changes of origins between two catalogs, each shown by a link under the origin.
struct OriginRules {
    private let old: RouteCatalog
    private let new: RouteCatalog
    private let record: WitnessRecord

    init(_ pairing: CatalogPairing, record: WitnessRecord) {
        old = pairing.old
        new = pairing.new
        self.record = record
    }

    /// The findings of origins and hosts that were removed or changed, and of a changed meaning of pluses.
    var findings: [Finding] {
        // Equal origins are paired first, so that the order of a list doesn't matter.
        func form(_ origin: Origin) -> [AnyHashable] {
            [origin.scheme.bytewise, origin.authority, origin.pathPrefix.map(\.bytewise)]
        }
        let pairs = SimilarityMatching.pairs(
            of: old.origins,
            and: new.origins,
            by: [
                { form($0) + [$0.hosts.map(\.bytewise), $0.routesFragment] }, form, { [$0.scheme.bytewise] },
            ]
        )
        var others = [Origin?](repeating: nil, count: old.origins.count)
        for pair in pairs { others[pair.index] = new.origins[pair.other] }
        var findings = zip(old.origins, others).flatMap(changes)
        if old.plusIsSpace != new.plusIsSpace {
            let (before, after) = ("\(old.plusIsSpace)".bytewise, "\(new.plusIsSpace)".bytewise)
            findings.append(Finding(.plusIsSpaceChanged, from: before, to: after))
        }
        return findings + shortLinks
    }

    /// The findings of hosts and prefixes that no longer have short links.
    ///
    /// Each is shown by a link with a code that the server might generate.
    private var shortLinks: [Finding] {
        func places(_ catalog: RouteCatalog) -> [ByteText] {
            catalog.shortLinkOrigins.flatMap { origin in
                origin.hosts.map { "https://\($0)" + origin.pathPrefix.map { "/" + $0 }.joined() }.map(\.bytewise)
            }
        }
        let kept = Set(places(new))
        return places(old).filter { !kept.contains($0) }
            .map { place in
                var finding = Finding(.shortLinksRemoved, of: ChangeSubject(origin: place), from: place)
                finding.witness = place.string + "/0123456789"
                return finding
            }
    }

    private func changes(of origin: Origin, to other: Origin?) -> [Finding] {
        let names = OriginPrefix.all(of: origin).filter { !$0.isFragment }.map(\.name)
        let scheme = "\(origin.scheme):".bytewise
        func whole(_ rule: ChangeRule, old: String, new: String?, shownBy others: [ByteText]? = nil) -> [Finding] {
            [finding(rule, subjectName: scheme, shownBy: others ?? names, old: old, new: new)].compactMap(\.self)
        }
        guard let other else { return whole(.originRemoved, old: names.map(\.string).joined(separator: " "), new: nil) }
        guard origin.authority == other.authority else {
            return whole(.authorityChanged, old: "\(origin.authority)", new: "\(other.authority)")
        }
        let (path, newPath) = (Self.path(origin), Self.path(other))
        guard path.bytewise == newPath.bytewise else { return whole(.pathPrefixChanged, old: path, new: newPath) }
        let kept = Set(OriginPrefix.all(of: other).map(\.name))
        if origin.routesFragment != other.routesFragment {
            let fragments = OriginPrefix.all(of: origin.routesFragment ? origin : other).filter(\.isFragment)
            func words(_ origin: Origin) -> String { origin.routesFragment ? "fragment: path" : "no path in fragments" }
            let changes = whole(
                .authorityChanged,
                old: words(origin),
                new: words(other),
                shownBy: fragments.map(\.name)
            )
            if !changes.isEmpty { return changes }
        }
        return names.filter { !kept.contains($0) }
            .compactMap { finding(.hostRemoved, subjectName: $0, shownBy: [$0], old: $0.string, new: nil) }
    }

    private static func path(_ origin: Origin) -> String { "/" + origin.pathPrefix.joined(separator: "/") }

    /// Returns a finding with a link that shows it, or `nil` if another origin takes the links as before.
    private func finding(
        _ rule: ChangeRule,
        subjectName: ByteText,
        shownBy names: [ByteText],
        old: String,
        new: String?
    ) -> Finding? {
        let subject = ChangeSubject(origin: subjectName)
        var finding = Finding(rule, of: subject, from: old.bytewise, to: new?.bytewise)
        finding.witness = names.lazy.compactMap { record.broken($0) }.first
        guard finding.witness == nil else { return finding }
        guard !names.contains(where: record.has) else { return nil }
        finding.harms[.links] = .risk
        return finding
    }
}
