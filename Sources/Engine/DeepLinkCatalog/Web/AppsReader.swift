import DeepLinkCore

/// The reader of `apps`: the apps that open the links.
struct AppsReader {
    /// The supported keys of an app, and of the mapping itself for the unnamed app.
    static let keys = ["ios", "android"]

    /// The key of routes and edges that names their app.
    static let reference = "app"

    private static let formerName = "was"
    private static let appleKeys = ["appID", "storeID", "scheme", "storeQuery", "copy", "webCredentials", "clip"]
    private static let androidKeys = ["package", "fingerprints", "storeQuery", "loginCredentials"]

    let log: IssueLog

    /// Reads the mapping from the unnamed app's platforms, and from the names of apps.
    func read(_ node: YAMLNode) -> Apps {
        // A misspelt platform has a list, and an app a mapping, or nothing while its lines are not indented.
        let names = (node.pairs ?? [])
            .filter { pair in
                (pair.value.pairs != nil || pair.value.isNull)
                    && !Self.keys.contains { $0.bytewise == pair.key.bytewise }
            }
        let reader = MappingReader(node, subject: "`apps`", keys: Self.keys + names.map { $0.key }, log: log)
        if names.count > Apps.maximumCount {
            log.report(
                .invalidApp,
                at: node.mark,
                message: "`apps` names \(names.count) apps.",
                hint: "Name at most \(Apps.maximumCount); further apps have a catalog of their own."
            )
        }
        let named = names.prefix(Apps.maximumCount).map(app)
        if named.count(where: { $0.wasUnnamed }) > 1 {
            log.report(
                .invalidApp,
                at: node.mark,
                message: "Two apps say that they were the unnamed app.",
                hint: "Keep `was: unnamed` at the app that is already installed."
            )
        }
        let (apple, android) = platforms(of: reader)
        let apps = Apps(
            unnamed: DeclaredApp(name: nil, apple: apple, android: android),
            named: Array(named),
            location: log.location(node.mark)
        )
        if !named.isEmpty {
            checkFormerName(of: apps)
            checkIdentifiers(of: apps)
        }
        return apps
    }

    /// Reports a named app that was the unnamed app before, if there is an unnamed app: a request without a name could
    /// come from either.
    private func checkFormerName(of apps: Apps) {
        guard !apps.unnamed.isEmpty, let former = apps.formerlyUnnamed.map({ apps[$0] }), let location = former.location
        else { return }
        log.report(
            .invalidApp,
            at: location,
            message:
                "`\(former.name ?? "")` says that it was the unnamed app, which `ios` or `android` still declares.",
            hint: "Move the lists of the unnamed app to `\(former.name ?? "")`, or remove `was: unnamed`."
        )
    }

    /// Reports an identifier that two apps have, since an association file hands each app its own links by it.
    private func checkIdentifiers(of apps: Apps) {
        var owners: [ByteText: String] = [:]
        for app in apps.all {
            let name = app.name.map { "`\($0)`" } ?? "the unnamed app"
            for identifier in app.apple.map({ $0.appID }) + app.android.map({ $0.package }) {
                let owner = owners[identifier.bytewise] ?? name
                owners[identifier.bytewise] = owner
                guard owner.bytewise != name.bytewise, let location = app.location ?? apps.location else { continue }
                log.report(
                    .invalidApp,
                    at: location,
                    message: "`\(identifier)` belongs to \(owner) and to \(name).",
                    hint: "Leave it to one of them. Links of every app need no app."
                )
            }
        }
    }

    /// Returns the app that a route or an edge names, or `nil` if it names none.
    func reference(in reader: MappingReader, to apps: Apps) -> AppIndex? {
        guard let name = reader.locatedString(Self.reference) else { return nil }
        if let app = apps.index(named: name.value) { return app }
        log.report(
            .unknownApp,
            at: name.location,
            message: "`\(name.value)` isn't an app of this catalog.",
            hint: Self.hint(for: name.value, among: apps.named.compactMap { $0.name })
        )
        return nil
    }

    /// Returns the hint for a name that is not among the known ones, which are apps, or platforms of apps.
    static func hint(for name: String, among known: [String]) -> String {
        known.isEmpty
            ? "Declare it: `apps: { driver: { ios: […] } }`."
            : SpellingSuggestion.hint(for: name, among: known, listing: "Apps are")
    }

    private func app(_ pair: YAMLPair) -> DeclaredApp {
        if !DeclaredApp.isName(pair.key) {
            log.report(
                .invalidApp,
                at: pair.mark,
                message: "`\(pair.key)` isn't the name of an app.",
                hint: "Write a letter, and then at most 63 letters, digits, hyphens and underscores: `driver`."
            )
        }
        let reader = MappingReader(
            pair.value,
            subject: "the app `\(pair.key)`",
            keys: Self.keys + [Self.formerName],
            log: log
        )
        let former = reader.value(
            Self.formerName,
            as: "a former app",
            hint: "Write `was: unnamed` for the app that had no name before, or leave it out."
        ) { $0.bytewise == "unnamed" ? true : nil }
        let (apple, android) = platforms(of: reader)
        return DeclaredApp(
            name: pair.key,
            wasUnnamed: former != nil,
            apple: apple,
            android: android,
            location: log.location(pair.mark)
        )
    }

    private func platforms(of reader: MappingReader) -> (apple: [AppleApp], android: [AndroidApp]) {
        let android = "[{ package: com.example.app, fingerprints: [\"14:6D:…\"] }]"
        return (
            items("ios", of: reader, example: "[{ appID: ABCDE12345.com.example.app }]").compactMap(apple),
            items("android", of: reader, example: android).compactMap(self.android)
        )
    }

    private func items(_ key: String, of reader: MappingReader, example: String) -> [YAMLNode] {
        reader[key]
            .flatMap {
                log.items(of: $0, subject: "`\(key)` of \(reader.subject)", hint: "Write a list: `\(example)`.")
            }
            ?? []
    }

    private func apple(_ node: YAMLNode) -> AppleApp? {
        let reader = MappingReader(node, subject: "an app of `ios`", keys: Self.appleKeys, log: log)
        reader.require("appID", hint: "Add `appID: ABCDE12345.com.example.app`.")
        guard let appID = reader.locatedString("appID") else { return nil }
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
            storeQuery: storeQuery(of: reader, reserved: []),
            copies: reader.bool("copy") ?? false,
            sharesCredentials: reader.bool("webCredentials") ?? false,
            clip: clip(of: appID.value, in: reader)
        )
    }

    /// Returns the identifier of an app's clip, or `nil` if the app has none.
    private func clip(of appID: String, in reader: MappingReader) -> String? {
        guard let clip = reader.locatedString("clip") else { return nil }
        if AppNames.isAppID(appID), !AppNames.isClip(clip.value, of: appID) {
            log.report(
                .invalidApp,
                at: clip.location,
                message: "`\(clip.value)` isn't the identifier of a clip of `\(appID)`.",
                hint: "Write the app's identifier, a dot, and one more part: `\(appID).Clip`."
            )
        }
        return clip.value
    }

    private func android(_ node: YAMLNode) -> AndroidApp? {
        let reader = MappingReader(node, subject: "an app of `android`", keys: Self.androidKeys, log: log)
        reader.require("package", hint: "Add `package: com.example.app`.")
        guard let package = reader.locatedString("package") else { return nil }
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
            storeQuery: storeQuery(of: reader, reserved: ["id", "referrer"]),
            sharesCredentials: reader.bool("loginCredentials") ?? false
        )
    }

    /// The maximum number of pairs in a store query.
    private static let maximumPairCount = 16

    /// Reads the mapping from keys of a store query to texts, or returns an empty query if the key is absent.
    ///
    /// The server itself writes the `reserved` keys.
    private func storeQuery(of reader: MappingReader, reserved: [String]) -> [QueryItem] {
        guard let node = reader["storeQuery"] else { return [] }
        let pairs = MappingReader.pairs(of: node, subject: "`storeQuery` of \(reader.subject)", log: log)
        if pairs.count > Self.maximumPairCount {
            log.report(
                .invalidApp,
                at: node.mark,
                message: "`storeQuery` of \(reader.subject) has \(pairs.count) keys.",
                hint: "Name at most \(Self.maximumPairCount)."
            )
        }
        return pairs.compactMap { key, value -> QueryItem? in
            if reserved.contains(where: { $0.bytewise == key.value.bytewise }) || key.value.isEmpty {
                log.report(
                    .invalidApp,
                    at: key.mark,
                    message: "`\(key.value)` can't be a key of `storeQuery`.",
                    hint: reserved.isEmpty
                        ? "Write a key such as `pt`." : "Remove it: Waymark writes \(reserved.joined(separator: ", "))."
                )
                return nil
            }
            return log.text(of: value, subject: "`\(key.value)` of `storeQuery`", hint: "Write a text.")
                .map { QueryItem(name: key.value, value: $0) }
        }
    }
}

/// The formats of the identifiers that platforms give to apps.
enum AppNames {
    /// Returns whether a text is an Apple application identifier: a prefix of ten capital letters and digits, a dot,
    /// and a bundle identifier of letters, digits, hyphens and dots.
    static func isAppID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: dot, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].count == 10
            && parts[0].allSatisfy { ASCII.isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            && parts[1].split(separator: dot, omittingEmptySubsequences: false).allSatisfy(isBundlePart)
    }

    /// Returns whether a text is the application identifier of a clip: the identifier of its app, a dot, and one more
    /// part ("Creating an App Clip with Xcode" of Apple's documentation).
    static func isClip(_ text: String, of appID: String) -> Bool {
        let start = "\(appID)."
        return text.utf8.starts(with: start.utf8) && isBundlePart(text.utf8.dropFirst(start.utf8.count))
    }

    /// Returns whether a text is one part of a bundle identifier: letters, digits and hyphens.
    private static func isBundlePart(_ part: Substring.UTF8View) -> Bool {
        !part.isEmpty && part.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    /// Returns whether a text is an App Store ID.
    static func isStoreID(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count) && text.utf8.allSatisfy(ASCII.isDigit)
    }

    /// Returns whether a text is a scheme that an app can register for itself.
    static func isCustomScheme(_ text: String) -> Bool {
        guard let scheme = (try? DeepLink("\(text):/"))?.scheme, scheme.bytewise == text.lowercased().bytewise else {
            return false
        }
        return !["http", "https", "javascript", "data", "file", "intent"].contains { $0.bytewise == scheme.bytewise }
    }

    /// Returns whether a text is an Android application identifier: at least two words of letters, digits and
    /// underscores, each beginning with a letter.
    static func isPackage(_ text: String) -> Bool {
        let words = text.utf8.split(separator: dot, omittingEmptySubsequences: false)
        return words.count > 1
            && words.allSatisfy { word in
                word.first.map(ASCII.isLetter) == true
                    && word.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
            }
    }

    /// Returns whether a text is 32 bytes in hexadecimal digits with colons between them.
    static func isFingerprint(_ text: String) -> Bool {
        let bytes = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return bytes.count == 32
            && bytes.allSatisfy { byte in byte.count == 2 && byte.allSatisfy { ASCII.hexValue($0) != nil } }
    }

    private static let dot = UInt8(ascii: ".")
}
