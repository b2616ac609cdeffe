import DeepLinkCore

/// The reader of `fallback`: an address, or a mapping from platforms to addresses.
struct FallbackReader {
    let addresses: AddressRules

    /// Reads the value of `fallback`; `type` returns the type of a parameter by its name.
    func read(_ reader: MappingReader, subject: String, type: (String) -> ParameterType?) -> Fallback? {
        guard let node = reader["fallback"] else { return nil }
        guard node.pairs != nil else {
            return reader.locatedString("fallback")
                .flatMap { addresses.pattern($0, key: "fallback", subject: subject, type: type) }
                .map { Fallback($0) }
        }
        let platforms = DevicePlatform.allCases
        let mapping = MappingReader(
            node,
            subject: "`fallback` of \(subject)",
            keys: platforms.map(\.rawValue),
            log: addresses.log
        )
        if node.pairs?.isEmpty == true {
            addresses.log.report(
                .invalidWeb,
                at: node.mark,
                message: "`fallback` of \(subject) names no platform.",
                hint: "Write an address, or a mapping such as `{ desktop: \"https://www.example.com\" }`."
            )
        }
        var found: [DevicePlatform: FallbackPattern] = [:]
        for platform in platforms {
            found[platform] = mapping.locatedString(platform.rawValue)
                .flatMap {
                    addresses.pattern($0, key: platform.rawValue, subject: "`fallback` of \(subject)", type: type)
                }
        }
        return found.isEmpty ? nil : Fallback(found)
    }
}
