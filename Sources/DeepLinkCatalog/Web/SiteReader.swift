import DeepLinkCore

/// The reader of `web`: the site that the links are part of.
struct SiteReader {
    /// The supported keys.
    static let keys = ["name", "fallback", "hosts", "icon", "color", "keep", "previewBots", "maxAge"]

    let log: IssueLog

    /// Reads the mapping.
    func read(_ node: YAMLNode) -> Site {
        let reader = MappingReader(node, subject: "`web`", keys: Self.keys, log: log)
        let hosts = reader.strings("hosts") ?? []
        for host in hosts where !OriginReader.isHost(host.value) {
            log.report(
                .invalidWeb,
                at: host.location,
                message: "`\(host.value)` isn't a host.",
                hint: "Write the host alone, such as `www.example.com`."
            )
        }
        var site = Site(
            name: LocalizedTextReader(log: log).read("name", of: reader, subject: "`web`"),
            hosts: hosts.map { $0.value.lowercased() }
        )
        let addresses = AddressRules(site: site, log: log)
        site.fallback = FallbackReader(addresses: addresses).read(reader, subject: "`web`") { _ in nil }
        site.icon =
            reader.locatedString("icon")
            .flatMap { addresses.pattern($0, key: "icon", subject: "`web`") { _ in nil } }?
            .template.source
        site.color = color(reader)
        site.keep = keep(reader)
        site.previewBots = previewBots(reader)
        site.maxAge = reader.integer("maxAge", in: 0...Site.maximumAge, subject: "`web`") ?? 0
        return site
    }

    private func color(_ reader: MappingReader) -> AccentColor? {
        guard let text = reader.locatedString("color") else { return nil }
        if let color = AccentColor(text.value) { return color }
        log.report(
            .invalidWeb,
            at: text.location,
            message: "`\(text.value)` isn't a color.",
            hint: "Write red, green and blue in hexadecimal digits, in quotes: `color: \"#0b57d0\"`."
        )
        return nil
    }

    /// Reads the keys that go on: a list of patterns, or one pattern.
    private func keep(_ reader: MappingReader) -> KeptKeys? {
        guard let node = reader["keep"] else { return nil }
        let patterns =
            node.items == nil && node.text != nil
            ? reader.locatedString("keep").map { [$0] } : reader.strings("keep")
        guard let patterns else { return nil }
        for pattern in patterns where !KeptKeys.isPattern(pattern.value) {
            log.report(
                .invalidWeb,
                at: pattern.location,
                message: "`\(pattern.value)` isn't a key of a query that `keep` can name.",
                hint:
                    "Write a key of at most 64 bytes, such as `gclid`, the beginning of keys, such as `utm_*`, or `*`."
            )
        }
        return KeptKeys(patterns.map(\.value))
    }

    /// The lengths of the names of preview bots, in bytes: a shorter one is in the names of browsers, too.
    private static let botLengths = 4...64

    private func previewBots(_ reader: MappingReader) -> [String] {
        let names = reader.strings("previewBots") ?? []
        for name in names {
            let isPrintable = name.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
            guard !isPrintable || !Self.botLengths.contains(name.value.utf8.count) else { continue }
            log.report(
                .invalidWeb,
                at: name.location,
                message: "`\(name.value)` isn't a name of a preview bot.",
                hint: "Write a part of its `User-Agent` that no browser has, of 4 to 64 ASCII characters: `ExampleBot`."
            )
        }
        return names.map(\.value)
    }
}
