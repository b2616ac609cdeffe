import DeepLinkCore

/// The reader of `web`: the web site that the links belong to.
struct SiteReader {
    /// The supported keys.
    static let keys = ["name", "fallback", "hosts", "icon", "color", "onColor", "keep", "previewBots", "maxAge"]

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
        var site = Site()
        site.name = LocalizedTextReader(log: log).read("name", of: reader)
        site.hosts = hosts.map { $0.value.lowercased() }
        let addresses = AddressRules(site: site, log: log)
        site.fallback = FallbackReader(addresses: addresses).read(reader) { _ in nil }
        site.icon = addresses.pattern("icon", of: reader) { _ in nil }?.template.source
        site.color = color("color", of: reader)?.value
        site.onColor = onColor(reader, color: site.color)
        site.keep = keep(reader)
        site.previewBots = previewBots(reader)
        site.maxAge = reader.integer("maxAge", in: 0...Site.maximumAge) ?? 0
        return site
    }

    private func color(_ key: String, of reader: MappingReader) -> Located<AccentColor>? {
        reader.value(
            key,
            as: "a color",
            or: .invalidWeb,
            hint: "Write red, green and blue in hexadecimal digits, in quotes: `\(key): \"#0b57d0\"`.",
            parse: { AccentColor($0) }
        )
    }

    /// Reads the color of the text on `color`.
    ///
    /// Below a contrast of 4.5 the text must be large, and can be hard to read on small screens. Below 3, no size is
    /// enough (WCAG 2.2 §1.4.3).
    private func onColor(_ reader: MappingReader, color: AccentColor?) -> AccentColor? {
        guard let onColor = self.color("onColor", of: reader) else { return nil }
        guard let color else {
            if reader["color"] == nil {
                log.report(
                    .invalidWeb,
                    at: onColor.location,
                    message: "`onColor` is the color of the text on `color`, which `web` doesn't have.",
                    hint: "Add `color`, or remove `onColor`."
                )
            }
            return nil
        }
        let contrast = color.contrast(with: onColor.value)
        guard contrast < AccentColor.textContrast else { return onColor.value }
        let isRefused = contrast < AccentColor.largeTextContrast
        log.report(
            isRefused ? .invalidWeb : .lowContrast,
            at: onColor.location,
            message:
                "`onColor` has a contrast of \((contrast * 10).rounded(.down) / 10) with `color`, and text needs 4.5"
                + (isRefused ? "; large text needs 3." : ": the button's text is larger than usual."),
            hint: "Make one of the two darker or lighter, or remove `onColor`: the text is then "
                + (color.contrasts.white >= color.contrasts.black ? "white." : "black.")
        )
        return onColor.value
    }

    /// Reads the query keys that are passed on: a list of patterns, or one pattern.
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
        return KeptKeys(patterns.map { $0.value })
    }

    /// The allowed lengths of the names of preview bots, in bytes.
    ///
    /// Shorter names also occur in the names of browsers.
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
        return names.map { $0.value }
    }
}
