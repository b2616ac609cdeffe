import DeepLinkCore

/// The apps of two catalogs, each with its counterpart.
///
/// A named app is paired by its name. The unnamed app of the old catalog is paired with the app that was unnamed before
/// (`was: unnamed`), or with the unnamed app. A catalog that declares no apps has an unnamed app, because an installed app
/// may open its links by custom schemes.
struct AppPairing: Sendable {
    /// The text for a destination of every app.
    static let every: ByteText = "every app"

    /// The text for the unnamed app.
    private static let unnamed: ByteText = "the unnamed app"

    private let old: Apps
    private let new: Apps

    /// For each app of the old catalog, the position of its counterpart in the new one, or `nil` if it is removed.
    private let inNew: [Int?]

    init(_ old: Apps, _ new: Apps) {
        self.old = old
        self.new = new
        let latter = Self.list(new)
        inNew = Self.list(old)
            .map { app in
                latter.firstIndex { other in
                    app.name == nil && new.formerlyUnnamed != nil
                        ? other.wasUnnamed : app.name?.bytewise == other.name?.bytewise
                }
            }
    }

    /// The apps of a catalog: the unnamed app, unless only others are declared, and then the named apps.
    private static func list(_ apps: Apps) -> [DeclaredApp] { apps.all.isEmpty ? [apps.unnamed] : apps.all }

    /// Returns the positions of the apps that have a destination: one app, or every app of the catalog.
    private static func places(of app: AppIndex?, in apps: Apps) -> Set<Int> {
        let count = list(apps).count
        guard let app else { return Set(0..<count) }
        return [count - apps.named.count + Int(app.place)]
    }

    private static func text(of app: AppIndex?, in apps: Apps) -> ByteText {
        app.map { apps.name(of: $0).bytewise } ?? every
    }

    /// Returns the text of an app for a sentence, in which a name is marked.
    static func words(_ text: ByteText) -> String {
        text == every || text == unnamed ? text.string : "the app `\(text)`"
    }

    /// Returns the change between the apps that have a destination, or `nil` if each kept app has it in both catalogs or in
    /// neither.
    ///
    /// An app of only one of the catalogs is no change of the destination.
    func change(from before: AppIndex?, to after: AppIndex?) -> AppChange? {
        guard before != nil || after != nil else { return nil }
        let former = Set(Self.places(of: before, in: old).compactMap { inNew[$0] })
        let latter = Self.places(of: after, in: new).intersection(inNew.compactMap(\.self))
        guard former != latter else { return nil }
        return AppChange(
            old: Self.text(of: before, in: old),
            new: Self.text(of: after, in: new),
            isLost: !former.isSubset(of: latter)
        )
    }

    /// The names of the apps that the new catalog lacks.
    var removed: [ByteText] {
        zip(Self.list(old), inNew).filter { $1 == nil && (!$0.isEmpty || $0.name != nil) }.map { Self.text(of: $0.0) }
    }

    /// The names of the apps that the old catalog lacks.
    var added: [ByteText] {
        let kept = Set(inNew)
        return Self.list(new).enumerated().filter { !kept.contains($0.offset) }.map { Self.text(of: $0.element) }
    }

    private static func text(of app: DeclaredApp) -> ByteText { app.name?.bytewise ?? unnamed }
}

/// A change of the apps that have a destination.
struct AppChange {
    /// The old app, or the text for every app.
    let old: ByteText

    /// The new app, or the text for every app.
    let new: ByteText

    /// Whether an app no longer has the destination.
    let isLost: Bool
}
