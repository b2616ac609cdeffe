import DeepLinkCore

/// The reader of `web`: the site that the links are part of.
struct SiteReader {
    /// The supported keys.
    static let keys = ["name", "fallback", "hosts"]

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
        let site = Site(
            name: LocalizedTextReader(log: log).read("name", of: reader, subject: "`web`"),
            hosts: hosts.map { $0.value.lowercased() }
        )
        let addresses = AddressRules(site: site, log: log)
        let fallback = reader.locatedString("fallback")
            .flatMap { addresses.pattern($0, key: "fallback", subject: "`web`") { _ in nil } }
        return Site(name: site.name, fallback: fallback?.template.source, hosts: site.hosts)
    }
}
