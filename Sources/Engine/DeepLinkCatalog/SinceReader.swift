import DeepLinkCore

/// The reader of `since`: the version of the app that introduced a place, by platform.
struct SinceReader {
    /// The key of routes and edges.
    static let key = "since"

    let log: IssueLog

    /// Reads a mapping from platforms to versions.
    func read(_ node: YAMLNode) -> RequiredApps {
        let names = AppVersion.Platform.allCases.map(\.rawValue)
        let reader = MappingReader(node, subject: "`\(Self.key)`", keys: names, log: log)
        func version(_ platform: AppVersion.Platform) -> VersionNumber? {
            guard let text = reader.locatedString(platform.rawValue) else { return nil }
            if let version = VersionNumber(text.value) { return version }
            log.report(
                .invalidValue,
                at: reader[platform.rawValue]?.mark,
                message: "`\(text.value)` isn't a version of an app.",
                hint:
                    "Write one to \(VersionNumber.maximumCount) numbers of at most \(VersionNumber.maximumDigitCount) "
                    + "digits with dots between them, such as \"3.2\"."
            )
            return nil
        }
        return RequiredApps(ios: version(.ios), android: version(.android))
    }
}
