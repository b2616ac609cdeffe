import DeepLinkCore

/// The reader of `apps`: the apps that open the links.
struct AppsReader {
    /// The supported keys.
    static let keys = ["ios", "android"]

    private static let appleKeys = ["appID", "storeID", "scheme", "storeQuery", "copy"]
    private static let androidKeys = ["package", "fingerprints", "storeQuery"]

    let log: IssueLog

    /// Reads the mapping from platforms to apps.
    func read(_ node: YAMLNode) -> Apps {
        let reader = MappingReader(node, subject: "`apps`", keys: Self.keys, log: log)
        return Apps(
            apple: items(reader, key: "ios", example: "[{ appID: ABCDE12345.com.example.app }]").compactMap(apple),
            android: items(
                reader,
                key: "android",
                example: "[{ package: com.example.app, fingerprints: [\"14:6D:…\"] }]"
            )
            .compactMap(android),
            location: log.location(node.mark)
        )
    }

    private func items(_ reader: MappingReader, key: String, example: String) -> [YAMLNode] {
        guard let node = reader[key] else { return [] }
        guard let items = node.items else {
            log.report(
                .wrongType,
                at: node.mark,
                message: "`\(key)` of `apps` is \(node.kindInWords).",
                hint: "Write a list: `\(example)`."
            )
            return []
        }
        return items
    }

    private func apple(_ node: YAMLNode) -> AppleApp? {
        let reader = MappingReader(node, subject: "an app of `ios`", keys: Self.appleKeys, log: log)
        guard
            let appID = required(
                "appID",
                reader: reader,
                subject: "an app of `ios`",
                example: "ABCDE12345.com.example.app"
            )
        else {
            return nil
        }
        if !AppNames.isAppID(appID.value) {
            log.report(
                .invalidApp,
                at: appID.location,
                message: "`\(appID.value)` isn't an application identifier.",
                hint: "Write the team's prefix, ten letters and digits, a dot, and the bundle's identifier: "
                    + "`ABCDE12345.com.example.app`."
            )
        }
        let storeID = reader.locatedString("storeID")
        if let storeID, !AppNames.isStoreID(storeID.value) {
            log.report(
                .invalidApp,
                at: storeID.location,
                message: "`\(storeID.value)` isn't an App Store ID.",
                hint: "Write the digits behind `id` in the app's address there, such as `123456789`."
            )
        }
        let scheme = reader.locatedString("scheme")
        if let scheme, !AppNames.isCustomScheme(scheme.value) {
            log.report(
                .invalidApp,
                at: scheme.location,
                message: "`\(scheme.value)` isn't a custom scheme.",
                hint: "Write the scheme that the app registers, such as `myapp`, without the colon."
            )
        }
        return AppleApp(
            appID: appID.value,
            storeID: storeID?.value,
            scheme: scheme?.value,
            storeQuery: StoreQueryReader(log: log).read(reader, subject: "an app of `ios`", reserved: []),
            copies: reader.bool("copy") ?? false
        )
    }

    private func android(_ node: YAMLNode) -> AndroidApp? {
        let reader = MappingReader(node, subject: "an app of `android`", keys: Self.androidKeys, log: log)
        guard
            let package = required(
                "package",
                reader: reader,
                subject: "an app of `android`",
                example: "com.example.app"
            )
        else {
            return nil
        }
        if !AppNames.isPackage(package.value) {
            log.report(
                .invalidApp,
                at: package.location,
                message: "`\(package.value)` isn't a package name.",
                hint: "Write the application's identifier: words with dots between them, such as `com.example.app`."
            )
        }
        let fingerprints = reader.strings("fingerprints")
        if fingerprints == nil, reader["fingerprints"] == nil {
            log.report(
                .missingKey,
                at: node.mark,
                message: "The app `\(package.value)` has no `fingerprints`.",
                hint:
                    "Add those of the certificates that sign it; with Play App Signing, Google's: Play Console shows them."
            )
        }
        if let fingerprints, fingerprints.isEmpty {
            log.report(
                .invalidApp,
                at: reader["fingerprints"]?.mark,
                message: "The list of `fingerprints` of `\(package.value)` is empty.",
                hint: "Name at least one certificate that signs the app."
            )
        }
        for fingerprint in fingerprints ?? [] where !AppNames.isFingerprint(fingerprint.value) {
            log.report(
                .invalidApp,
                at: fingerprint.location,
                message: "`\(fingerprint.value)` isn't a SHA-256 fingerprint.",
                hint: "Write 32 bytes in hexadecimal digits with colons between them, in quotes: `\"14:6D:E9:…\"`."
            )
        }
        return AndroidApp(
            package: package.value,
            fingerprints: (fingerprints ?? []).map { $0.value.uppercased() },
            storeQuery: StoreQueryReader(log: log)
                .read(reader, subject: "an app of `android`", reserved: ["id", "referrer"])
        )
    }

    private func required(
        _ key: String,
        reader: MappingReader,
        subject: String,
        example: String
    ) -> Located<String>? {
        if reader[key] == nil {
            log.report(
                .missingKey,
                at: reader.mark,
                message: "\(subject.firstLetterUppercased) has no `\(key)`.",
                hint: "Add `\(key): \(example)`."
            )
        }
        return reader.locatedString(key)
    }
}
