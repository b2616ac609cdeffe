import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// A link of a file, with its mode, its user and its expected outcome.
struct LinkCase {
    /// The source of level and grants.
    enum Audience {
        /// The command line's level and grants, or else the lowest level.
        case unnamed

        case named(Permissions)
        case user(UserID)
    }

    /// The allowed members of a case.
    static let keys = [
        "link", "level", "grants", "holds", "user", "app", "mode", "from", "stack", "problem", "gate", "canonicalLink",
        "note",
    ]

    /// The first line of the case, from 1.
    let line: Int

    /// The link as written in the file.
    let link: String

    private(set) var audience = Audience.unnamed

    /// The level and grants that the app asserts, or `nil` for all that it may assert.
    private(set) var held: [String]?

    /// The version of the requesting app, or `nil` for the app of the command line.
    private(set) var app: AppVersion?

    private(set) var mode = ResolutionRequest.Mode.replace
    private(set) var from: CurrentStack?
    private(set) var expected = ExpectedOutcome()

    /// Creates a case whose link only has to resolve.
    init(link: String, line: Int) {
        self.line = line
        self.link = link
    }

    /// Reads a case, which messages call `place`.
    ///
    /// - Throws: ``CommandError`` of code 65, naming the place and the member at fault.
    init(_ value: JSONValue, line: Int, place: String, catalog: RouteCatalog?) throws(CommandError) {
        func fault(_ message: String) -> CommandError { CommandError.badData("\(place): \(message)") }
        guard case .object(let members) = value else {
            throw fault("a case is \(value.typeInWords); write `link` and its expected outcome.")
        }
        if let unknown = members.names.first(where: { name in !Self.keys.contains { $0.bytewise == name } }) {
            throw fault(
                "`\(unknown.string)` isn't a key of a case. "
                    + SpellingSuggestion.hint(
                        for: unknown.string,
                        among: Self.keys,
                        otherwise: "Keys are \(Self.keys.joined(separator: ", "))."
                    )
            )
        }
        func text(_ key: String) throws(CommandError) -> String? {
            switch members[key.bytewise] {
            case nil: return nil
            case .string(let text)?: return text
            case let value?: throw fault("`\(key)` is \(value.typeInWords); write a text.")
            }
        }
        guard let link = try text("link") else { throw fault("the case has no `link`.") }
        self.init(link: link, line: line)
        func texts(_ key: String) throws(CommandError) -> [String]? {
            guard let value = members[key.bytewise] else { return nil }
            guard case .array(let items) = value else {
                throw fault("`\(key)` is \(value.typeInWords); write a list of names.")
            }
            return try items.map { item throws(CommandError) in
                guard case .string(let text) = item else {
                    throw fault("`\(key)` has \(item.typeInWords) in it; write a list of names.")
                }
                return text
            }
        }
        let (level, user) = (try text("level"), try text("user"))
        let grants = try texts("grants")
        guard grants == nil || level != nil else { throw fault("`grants` stands beside a `level`; name one.") }
        held = try texts("holds")
        switch (level, user) {
        case (nil, nil): break
        case (let level?, nil):
            guard let named = catalog.map({ $0.levels.level(named: level) }) ?? .lowest else {
                throw fault("`level` is `\(level)`, none of \(catalog?.levels.list() ?? "").")
            }
            var permissions = Permissions(level: named)
            for name in grants ?? [] {
                guard let catalog else { break }
                guard let grant = catalog.grants.grant(named: name) else {
                    let known = catalog.grants.isEmpty ? "the catalog has none" : "grants are \(catalog.grants.list())"
                    throw fault("`grants` has `\(name)`; \(known).")
                }
                permissions = permissions.adding(.grant(grant))
            }
            audience = .named(permissions)
        case (nil, let user?):
            guard let id = UserID(user) else { throw fault("`user` isn't the id of a user.") }
            audience = .user(id)
        case (_?, _?): throw fault("the case has both `level` and `user`; keep one.")
        }
        app = try text("app")
            .map { text throws(CommandError) in
                guard let app = AppVersion(text) else {
                    throw fault("`app` is `\(text)`, no version of an app; write one such as ios/3.1.0.")
                }
                do throws(Problem) {
                    if let catalog { try RequestedApp.check(app, in: catalog) }
                } catch {
                    throw fault("`app` is `\(text)`. \(error.detail)")
                }
                return app
            }
        let modeName = try text("mode")
        guard let mode = modeName.map(ResolutionRequest.Mode.init(bytewise:)) ?? .replace else {
            throw fault("`mode` is `\(modeName ?? "")`; write replace or append.")
        }
        self.mode = mode
        do throws(Problem) {
            from = try members["from"].map { value throws(Problem) in try Self.currentStack(value) }
        } catch {
            throw fault(error.detail)
        }
        do throws(ExpectedOutcome.Fault) {
            expected = try ExpectedOutcome(members, catalog: catalog)
        } catch {
            throw fault(error.message)
        }
    }

    private static func currentStack(_ value: JSONValue) throws(Problem) -> CurrentStack {
        guard case .string(let text) = value else { return .stack(try value.stack(field: "from")) }
        do throws(LinkSyntaxError) {
            return .link(try DeepLink(text, rootless: .all))
        } catch {
            throw .malformed(field: "from", detail: "`from` isn't a link. \(error.message)")
        }
    }
}
