import DeepLinkCore

/// An app of several, as its manifests and association files describe it.
struct ImportedApp: Sendable {
    /// The identifiers: bundle identifiers and packages, at least one.
    fileprivate(set) var identifiers: [String]

    /// The identifiers of Apple's apps with their team's prefixes.
    fileprivate(set) var appIDs: [String] = []

    /// The packages of Android apps.
    fileprivate(set) var packages: [String] = []

    /// The name in the draft.
    fileprivate(set) var name = ""

    fileprivate var intents: [IntentRule] = []
    fileprivate var associations: [AssociationLinks] = []

    /// Returns whether one of the files gives a link to the app.
    func takes(_ link: ComparedLink) -> Bool {
        intents.contains { $0.takes(link) } || associations.contains { $0.takes(link) }
    }

    fileprivate mutating func join(_ other: ImportedApp) {
        identifiers += other.identifiers
        appIDs += other.appIDs.filter { id in !appIDs.contains { $0.bytewise == id.bytewise } }
        packages += other.packages.filter { id in !packages.contains { $0.bytewise == id.bytewise } }
        intents += other.intents
        associations += other.associations
    }

    /// Returns whether another app has the same identifier, or one that begins with it, as a test build or a clip has.
    fileprivate func isRelated(to other: ImportedApp) -> Bool {
        identifiers.contains { own in
            other.identifiers.contains { id in
                own.bytewise == id.bytewise || own.utf8.starts(with: (id + ".").utf8)
                    || id.utf8.starts(with: (own + ".").utf8)
            }
        }
    }

    /// The last part of the first identifier.
    fileprivate var lastPart: ByteText? { Self.parts(of: identifiers[0]).last.map(ScreenWords.lowercased) }

    fileprivate static func parts(of identifier: String) -> [String] {
        identifier.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
    }
}

/// The apps of several manifests and association files, or none if the files are of one app.
struct ImportedApps: Sendable {
    /// The last parts of identifiers that name no app.
    private static let generic: Set<ByteText> = ["android", "app", "ios", "mobile"]

    /// The apps by name, in the order of the files.
    private(set) var all: [ImportedApp] = []

    /// The intent filters of manifests without a package, which may be of any app.
    private let unknown: [IntentRule]

    /// The decisions that are left to a person.
    private(set) var questions: [String] = []

    /// Finds the apps of the files.
    init(_ manifests: [AndroidManifest], _ files: [AssociationFile]) {
        unknown = manifests.filter { $0.package == nil }.flatMap(\.intents)
        var android: [ImportedApp] = []
        for manifest in manifests {
            guard let package = manifest.package, !package.isEmpty else { continue }
            var app = ImportedApp(identifiers: [package])
            (app.packages, app.intents) = ([package], manifest.intents)
            Self.add(app, to: &android)
        }
        var apple: [ImportedApp] = []
        for group in files.flatMap(\.groups) where !group.appIDs.isEmpty {
            var app = ImportedApp(identifiers: group.appIDs.map(Self.bundleID))
            (app.appIDs, app.associations) = (group.appIDs, [group.links])
            Self.add(app, to: &apple)
        }
        guard android.count > 1 || apple.count > 1 else { return }
        var apps = android
        for app in apple {
            let alike = apps.indices.filter { apps[$0].lastPart == app.lastPart }
            let isAlone = apple.count { $0.lastPart == app.lastPart } == 1 && alike.count == 1
            if let place = apps.firstIndex(where: { $0.isRelated(to: app) }) ?? (isAlone ? alike.first : nil) {
                apps[place].join(app)
            } else {
                apps.append(app)
            }
        }
        guard apps.count <= Apps.maximumCount else {
            questions.append("apps: the files have \(apps.count), and a catalog names at most \(Apps.maximumCount).")
            return
        }
        if !unknown.isEmpty {
            questions.append("apps: a manifest names no package, so its links may be of any app.")
        }
        questions.append("apps: \(apps.count) are named after their identifiers. Which one had no name before?")
        all = Self.named(apps)
    }

    private static func add(_ app: ImportedApp, to apps: inout [ImportedApp]) {
        if let place = apps.firstIndex(where: { $0.isRelated(to: app) }) {
            apps[place].join(app)
        } else {
            apps.append(app)
        }
    }

    /// Returns the identifier behind the team's prefix.
    private static func bundleID(_ appID: String) -> String {
        String(Substring(appID.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()))
    }

    /// Returns the apps with unique names, made of the last parts of their identifiers.
    private static func named(_ apps: [ImportedApp]) -> [ImportedApp] {
        var names = DraftNames()
        // The keys of the unnamed app's platforms.
        for key in ["ios", "android"] { _ = names.unique([key]) }
        return apps.map { app in
            var parts = ImportedApp.parts(of: app.identifiers[0])
            if parts.count > 1, let last = parts.last, generic.contains(ScreenWords.lowercased(last)) {
                parts.removeLast()
            }
            var named = app
            let candidates = (1...2).map { DraftNames.camelCase(parts.suffix($0)) }
            named.name = names.unique(candidates.allSatisfy(\.isEmpty) ? ["app"] : candidates)
            return named
        }
    }

    /// Returns the position of the only app that gets a link, or `nil` if none gets it, or several.
    func onlyApp(of link: ComparedLink) -> Int? {
        guard !unknown.contains(where: { $0.takes(link) }) else { return nil }
        let taking = all.indices.filter { all[$0].takes(link) }
        return taking.count == 1 ? taking[0] : nil
    }
}
