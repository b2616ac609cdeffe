import DeepLinkCore

/// The prefixes under which links of a catalog are made, so that each path has a prefix that accepts it.
///
/// If the host has no meaning for the routes, one prefix represents all other origins that accept the same paths. If
/// the host is the first segment, it selects the prefix for a path.
struct WitnessOrigins {
    /// A prefix with a host, if any, that isn't part of the routed path.
    private struct Plain {
        let prefix: OriginPrefix

        /// The first segments with which a more specific origin may take the link.
        let detours: Set<ByteText>

        func isDetour(_ path: WitnessPath) -> Bool {
            path.segments.first.map { detours.contains($0.text.bytewise) } ?? false
        }
    }

    /// The properties by which prefixes are equivalent.
    private struct Kind: Hashable {
        let form: OriginPrefix.Form
        let old: Set<ByteText>
        let new: Set<ByteText>
    }

    /// The maximum number of distinct kinds of prefixes.
    private static let maximumKindCount = 16

    /// The maximum number of hosts that are tried for a segment with arbitrary text.
    private static let maximumHostCount = 8

    /// Whether there are more kinds than ``maximumKindCount``.
    let isCut: Bool

    private let plain: [Plain]

    /// The prefixes with the host as a segment, by the host.
    private let hosts: [ByteText: [OriginPrefix]]

    /// The same prefixes, in the order of declaration.
    private let hostList: [OriginPrefix]

    /// The prefixes with a `*`.
    private let wildcards: [OriginPrefix]

    private init(_ prefixes: [OriginPrefix], old: OriginDetours, new: OriginDetours) {
        var known: Set<Kind> = []
        var plain: [Plain] = []
        var isCut = false
        for prefix in prefixes where !prefix.isHostSegment {
            let (before, after) = (old.words(of: prefix), new.words(of: prefix))
            guard known.insert(Kind(form: prefix.form, old: before, new: after)).inserted else { continue }
            guard plain.count < Self.maximumKindCount else {
                isCut = true
                break
            }
            plain.append(Plain(prefix: prefix, detours: before.union(after)))
        }
        self.plain = plain
        self.isCut = isCut
        let hostList = prefixes.filter(\.isHostSegment)
        wildcards = hostList.filter { $0.form != .hostSegment(suffix: nil) }
        self.hostList = hostList.filter { $0.form == .hostSegment(suffix: nil) }
        hosts = Dictionary(grouping: self.hostList) { PercentEncoding.encode(literal: $0.hostName).bytewise }
    }

    /// Returns prefixes for the links of each of two catalogs, preferably prefixes that both accept.
    ///
    /// The loss of an origin is then reported once instead of for every link.
    static func shared(by old: RouteCatalog, _ new: RouteCatalog) -> (old: WitnessOrigins, new: WitnessOrigins) {
        let (before, after) = (OriginPrefix.all(of: old), OriginPrefix.all(of: new))
        let (oldDetours, newDetours) = (OriginDetours(before), OriginDetours(after))
        var known: Set<OriginPrefix.Identity> = []
        let shared = (before + after).filter { known.insert($0.identity).inserted && $0.isOurs(old) && $0.isOurs(new) }
        guard shared.isEmpty else {
            let both = WitnessOrigins(shared, old: oldDetours, new: newDetours)
            return (both, both)
        }
        func first(_ prefixes: [OriginPrefix], in catalog: RouteCatalog) -> WitnessOrigins {
            WitnessOrigins(
                prefixes.first { $0.isOurs(catalog) }.map { [$0] } ?? [],
                old: oldDetours,
                new: newDetours
            )
        }
        return (first(before, in: old), first(after, in: new))
    }

    /// Whether some links have their host as the first segment.
    var haveHostSegments: Bool { !hostList.isEmpty || !wildcards.isEmpty }

    /// Returns whether a segment can be the host of a link.
    func opens(_ segment: PathPattern.Segment) -> Bool {
        guard case .literal(let text) = segment else { return true }
        return !wildcards.isEmpty || hosts[PercentEncoding.encode(literal: text).bytewise] != nil
    }

    /// Returns equivalent prefixes.
    ///
    /// The first one that accepts a path represents all of them.
    func ordinary(_ path: WitnessPath) -> [OriginPrefix] {
        let plain: [OriginPrefix] = plain.filter { !$0.isDetour(path) }.map(\.prefix)
        let hosts = path.opening.map { self.hosts[$0] ?? [] } ?? Array(hostList.prefix(Self.maximumHostCount))
        return plain + hosts + wildcards.prefix(Self.maximumHostCount)
    }

    /// Returns the prefixes under which a more specific origin may take the path.
    func detours(_ path: WitnessPath) -> [OriginPrefix] { plain.filter { $0.isDetour(path) }.map(\.prefix) }

    /// Returns whether some prefixes aren't tried for a path.
    func isCut(_ path: WitnessPath) -> Bool {
        isCut || wildcards.count > Self.maximumHostCount
            || path.opening == nil && hostList.count > Self.maximumHostCount
    }
}

/// The first segments with which more specific origins of a catalog take links from others.
private struct OriginDetours {
    private struct Place: Hashable {
        let scheme: ByteText
        let host: ByteText
        let pathPrefix: [ByteText]
    }

    /// The maximum number of compared segments in the prefix of an origin.
    private static let maximumDepth = 16

    private var words: [Place: Set<ByteText>] = [:]

    init(_ prefixes: [OriginPrefix]) {
        for prefix in prefixes {
            let segments = prefix.pathPrefix.prefix(Self.maximumDepth)
                .map { PercentEncoding.encode(literal: $0).bytewise }
            for depth in segments.indices {
                let place = Place(
                    scheme: prefix.scheme.bytewise,
                    host: prefix.host.bytewise,
                    pathPrefix: Array(segments[..<depth])
                )
                words[place, default: []].insert(segments[depth])
            }
        }
    }

    /// Returns the segments after a prefix that select a more specific origin with the same host, or with none.
    func words(of prefix: OriginPrefix) -> Set<ByteText> {
        let segments = prefix.pathPrefix.map { PercentEncoding.encode(literal: $0).bytewise }
        func words(_ host: String) -> Set<ByteText> {
            self.words[Place(scheme: prefix.scheme.bytewise, host: host.bytewise, pathPrefix: segments)] ?? []
        }
        return prefix.host.isEmpty ? words("") : words(prefix.host).union(words(""))
    }
}
