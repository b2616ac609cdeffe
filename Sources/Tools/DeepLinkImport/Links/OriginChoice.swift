import DeepLinkCore

/// The origins of a draft, chosen from the addresses of the links.
struct OriginChoice {
    /// A host without an origin, with the number of its links.
    struct ForeignHost {
        let name: String
        let linkCount: Int
        let reason: String
    }

    /// The largest number of hosts that are listed.
    static let maximumHostCount = 256

    /// The number of hosts below one name from which they are read as values.
    private static let wildcardHostCount = 20

    /// The schemes of other programs.
    private static let otherSchemes: Set<ByteText> = [
        "mailto", "tel", "sms", "javascript", "data", "about", "blob", "file", "content", "intent", "market", "itms",
        "itms-apps", "itms-services", "android-app", "ios-app", "exp", "exps", "view-source", "chrome", "geo", "maps",
    ]

    /// The origins, in a stable order.
    private(set) var origins: [DraftOrigin] = []

    /// The hosts whose links are not in the draft, the most frequent first.
    private(set) var foreign: [ForeignHost] = []

    /// The rarely linked hosts that have an origin nevertheless.
    private(set) var rare: [ForeignHost] = []

    private var readings: [LinkAddress: Reading] = [:]
    private var wildcards: [ByteText] = []

    /// The reading of the links of an address.
    private enum Reading {
        case path
        case fragment
        case hostAndPath
        case label(Int)
    }

    init(_ tally: OriginTally, declared: [DraftOrigin] = []) {
        chooseWeb(tally, declared: declared)
        chooseSchemes(tally, declared: declared)
        for origin in declared where !origins.contains(where: { $0.covers(origin) }) { origins.append(origin) }
        origins = DraftOrigin.joined(origins)
        foreign.sort { ($1.linkCount, $0.name.bytewise) < ($0.linkCount, $1.name.bytewise) }
        rare.sort { ($1.linkCount, $0.name.bytewise) < ($0.linkCount, $1.name.bytewise) }
    }

    /// Returns the routed part of a link, or `nil` if its address is foreign.
    func routed(_ link: DeepLink) -> RoutedLink? {
        let address = LinkAddress(link)
        guard let reading = readings[address] ?? wildcardReading(of: address) else { return nil }
        switch reading {
        case .path: return RoutedLink(segments: link.segments, items: link.queryItems, beginsWithLabel: false)
        case .fragment:
            let fragment = link.fragmentReference
            return RoutedLink(
                segments: link.segments + (fragment?.segments ?? []),
                items: link.queryItems + (fragment?.queryItems ?? []),
                beginsWithLabel: false
            )
        case .hostAndPath:
            let host = link.authority
            return RoutedLink(
                segments: (host.isEmpty ? [] : [host]) + link.segments,
                items: link.queryItems,
                beginsWithLabel: false
            )
        case .label(let count):
            let label = String(Substring(address.host.utf8.dropLast(count)))
            return RoutedLink(segments: [label] + link.segments, items: link.queryItems, beginsWithLabel: true)
        }
    }

    /// The addresses below a wildcard that were not counted one by one.
    private func wildcardReading(of address: LinkAddress) -> Reading? {
        guard address.isWeb else { return nil }
        let suffix = wildcards.first { ending in
            address.host.utf8.count > ending.string.utf8.count
                && address.host.utf8.suffix(ending.string.utf8.count).elementsEqual(ending.string.utf8)
        }
        return suffix.map { .label($0.string.utf8.count) }
    }

    // MARK: Web

    private mutating func chooseWeb(_ tally: OriginTally, declared: [DraftOrigin]) {
        let web = tally.counts.filter(\.key.isWeb)
        let total = web.values.reduce(0) { $0 + $1.links }
        guard total > 0 else { return }
        let sites = Dictionary(grouping: web, by: { Self.site(of: $0.key.host).bytewise })
        let counts = sites.mapValues { $0.reduce(0) { $0 + $1.value.links } }
        let declaredSites = Set(declared.flatMap(\.hosts).map { Self.site(of: $0).bytewise })
        let main = sites.filter { declaredSites.contains($0.key) || (counts[$0.key] ?? 0) * 50 >= total }
        let known = Set(main.values.joined().flatMap(\.value.firstSegments.hashes))
        let brands = Set(main.keys.map { Self.brand(of: $0.string).bytewise })
        var listed: [(host: String, address: LinkAddress, count: OriginTally.Count)] = []
        for (site, addresses) in sites {
            let isMain = main[site] != nil
            let overlaps = addresses.contains { $0.value.firstSegments.hashes.contains(where: known.contains) }
            guard isMain || brands.contains(Self.brand(of: site.string).bytewise) || overlaps else {
                for (host, group) in Dictionary(grouping: addresses, by: { $0.key.host.bytewise }) {
                    let count = group.reduce(0) { $0 + $1.value.links }
                    foreign.append(ForeignHost(name: host.string, linkCount: count, reason: "another site"))
                }
                continue
            }
            let hosts = Dictionary(grouping: addresses, by: { $0.key.host.bytewise })
            let isWildcard = hosts.count > Self.wildcardHostCount && !Self.isAddress(site.string)
            if isWildcard { wildcards.append(ByteText("." + site.string)) }
            for (host, group) in hosts {
                let count = group.reduce(0) { $0 + $1.value.links }
                let isOwn =
                    host == site || host.string.utf8.starts(with: "www.".utf8) || !isWildcard
                    || count * 20 >= counts[site] ?? 0
                guard isOwn else {
                    for (address, _) in group { readings[address] = .label(site.string.utf8.count + 1) }
                    continue
                }
                for (address, count) in group { listed.append((host.string, address, count)) }
                if !isMain, count * 200 < total {
                    rare.append(ForeignHost(name: host.string, linkCount: count, reason: "rarely linked"))
                }
            }
            if isWildcard {
                origins.append(DraftOrigin(schemes: ["https"], hosts: ["*." + site.string], authority: .segment))
            }
        }
        wildcards.sort { ($1.string.utf8.count, $0) < ($0.string.utf8.count, $1) }
        listWeb(listed)
    }

    private mutating func listWeb(_ listed: [(host: String, address: LinkAddress, count: OriginTally.Count)]) {
        let hosts = Dictionary(grouping: listed, by: { $0.host.bytewise })
            .map { (host: $0.key, group: $0.value, links: $0.value.reduce(0) { $0 + $1.count.links }) }
            .sorted { ($1.links, $0.host) < ($0.links, $1.host) }
        for (host, group, links) in hosts.dropFirst(Self.maximumHostCount) {
            _ = group
            foreign.append(
                ForeignHost(
                    name: host.string,
                    linkCount: links,
                    reason: "the draft has \(Self.maximumHostCount) hosts that are linked more"
                )
            )
        }
        for (host, group, links) in hosts.prefix(Self.maximumHostCount) {
            let fragments = group.reduce(0) { $0 + $1.count.fragmentPaths }
            let routesFragment = fragments * 2 >= links
            for entry in group { readings[entry.address] = routesFragment ? .fragment : .path }
            origins.append(
                DraftOrigin(
                    schemes: Set(group.map { $0.address.scheme.bytewise }).sorted(by: >).map(\.string),
                    hosts: [host.string],
                    routesFragment: routesFragment
                )
            )
        }
    }

    /// Returns the name that a company registers: the last two labels, or three below a country's `co` or `com`.
    static func site(of host: String) -> String {
        guard !isAddress(host) else { return host }
        let labels = host.utf8.split(separator: UInt8(ascii: "."))
        let isBelowCountry =
            labels.count > 2 && labels[labels.count - 1].count == 2 && labels[labels.count - 2].count <= 3
        return labels.suffix(isBelowCountry ? 3 : 2).map { String(Substring($0)) }.joined(separator: ".")
    }

    private static func brand(of site: String) -> String {
        String(Substring(site.utf8.prefix { $0 != UInt8(ascii: ".") }))
    }

    /// Returns whether a host is an address, has a port, or has one label alone.
    private static func isAddress(_ host: String) -> Bool {
        !host.utf8.contains(UInt8(ascii: ".")) || host.utf8.contains(UInt8(ascii: ":"))
            || host.utf8.last.map(ASCII.isDigit) == true
    }

    // MARK: Other schemes

    private mutating func chooseSchemes(_ tally: OriginTally, declared: [DraftOrigin]) {
        let brands = Set(tally.counts.keys.filter(\.isWeb).flatMap { Self.labels(of: $0.host) })
        let firstSegments = Set(tally.counts.filter(\.key.isWeb).values.flatMap(\.firstSegments.hashes))
        let schemes = Dictionary(grouping: tally.counts.filter { !$0.key.isWeb }, by: { $0.key.scheme.bytewise })
        for (scheme, addresses) in schemes {
            let links = addresses.reduce(0) { $0 + $1.value.links }
            guard !Self.otherSchemes.contains(scheme) else {
                foreign.append(
                    ForeignHost(name: scheme.string + ":", linkCount: links, reason: "a scheme of other programs")
                )
                continue
            }
            let rootless = addresses.filter(\.key.isRootless).reduce(0) { $0 + $1.value.links }
            if rootless > 0 {
                for (address, count) in addresses {
                    if address.host.isEmpty {
                        readings[address] = .path
                    } else {
                        foreign.append(
                            ForeignHost(
                                name: "\(scheme)://\(address.host)",
                                linkCount: count.links,
                                reason: "other links of the scheme have no host"
                            )
                        )
                    }
                }
                origins.append(DraftOrigin(schemes: [scheme.string], hosts: [], authority: .rootless))
                continue
            }
            let hosts = addresses.map(\.key.host).filter { !$0.isEmpty }
            if let own = declared.first(where: { $0.schemes.contains { $0.bytewise == scheme } }),
                own.authority == .segment
            {
                for (address, _) in addresses { readings[address] = .hostAndPath }
                origins.append(DraftOrigin(schemes: [scheme.string], hosts: [], authority: .segment))
                continue
            }
            let areHosts = hosts.allSatisfy { host in
                host.utf8.contains(UInt8(ascii: ".")) || host.utf8.contains(UInt8(ascii: ":"))
            }
            let isFixed =
                hosts.count == 1
                && hosts.allSatisfy { host in
                    (["app", "open", "host", "link", "links", "deeplink", "localhost", scheme] as [ByteText])
                        .contains(host.bytewise)
                        || brands.contains(host.bytewise) && !firstSegments.contains(StableHash.hash(host))
                }
            let isOnly = Self.isOnlyHost(addresses.map { ($0.key.host, $0.value) }, beside: firstSegments)
            let isSegment = !(isOnly || hosts.isEmpty || areHosts || isFixed) || hosts.count > Self.maximumHostCount
            for (address, _) in addresses { readings[address] = isSegment ? .hostAndPath : .path }
            origins.append(
                DraftOrigin(
                    schemes: [scheme.string],
                    hosts: isSegment ? [] : hosts.map(\.bytewise).sorted().map(\.string),
                    authority: isSegment ? .segment : .hosts
                )
            )
        }
    }

    /// Returns whether a scheme has one host alone, behind which the paths of other links begin.
    private static func isOnlyHost(
        _ hosts: [(host: String, count: OriginTally.Count)],
        beside firstSegments: Set<UInt64>
    ) -> Bool {
        guard hosts.count == 1, let only = hosts.first, !only.host.isEmpty,
            !firstSegments.contains(StableHash.hash(only.host))
        else { return false }
        let own = only.count.firstSegments.hashes
        return own.count >= 2 && own.count { firstSegments.contains($0) } * 2 >= own.count
    }

    private static func labels(of host: String) -> [ByteText] {
        host.utf8.split(separator: UInt8(ascii: ".")).map { ByteText(String(Substring($0))) }
    }
}
