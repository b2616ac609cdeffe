import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats

/// The command that builds the link of a stack.
struct LinkBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Builds the link to a stack, or to a destination.",
        discussion: """
            The stack is a JSON array of {"route", "presentation", "parameters"}, or a response with a stack. An \
            object {"route", "parameters"} is a destination. Its link has the fewest segments of all paths that need \
            no other value.

            waymark resolve navigation:/episodes --level signedInUser --format json | waymark link build
            waymark link build stack.json --scheme https
            waymark link build stack.json --all-schemes
            waymark link build stack.json --sign --expires 2027-01-01T00:00:00Z
            echo '{"route":"episode","parameters":{"id":7}}' | waymark link build

            Exits with 0 if there is a link, 1 if there is none or several paths are equally short, 65 if the input is \
            malformed.
            """
    )

    @Argument(help: "The file of the stack or the destination. Default, or with -: standard input.")
    var file: String = "-"

    @Option(help: "The scheme of the link. Default: the scheme of the catalog's first origin.")
    var scheme: String?

    @Flag(help: "Print a link for each scheme of the catalog, one per line.")
    var allSchemes = false

    @Flag(help: "Sign the link for a route with signed links, with a key in the file of --signing-keys.")
    var sign = false

    @Option(help: ArgumentHelp("The time at which a signed link expires, in RFC 3339 format.", valueName: "time"))
    var expires: String?

    @Option(.signingKeys) var signingKeys: String?

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard scheme == nil || !allSchemes else {
            throw ValidationError("Give --scheme or --all-schemes, not both.")
        }
        guard expires == nil || sign else { throw ValidationError("--expires needs --sign.") }
        if let expires, Timestamp(rfc3339: expires) == nil {
            throw ValidationError("`\(expires)` isn't an RFC 3339 date-time, such as 2027-01-01T00:00:00Z.")
        }
    }

    func run() async throws {
        let workspace = try shared.workspace(overriding: [.signingKeys: signingKeys])
        let catalog = try workspace.catalog()
        let signature =
            sign
            ? LinkSigning(
                keys: try workspace.signingKeys(),
                expires: expires,
                ways: workspace.settings.waysToSet(.signingKeys)
            ) : nil
        let target = try LinkBuildTarget(try InputFile.read(file), named: InputFile.name(file))
        var schemes: [String?] = [scheme]
        if allSchemes {
            schemes = catalog.origins.map(\.scheme)
                .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
        for scheme in schemes {
            let link: String
            do throws(LinkBuildingError) {
                link = try target.link(scheme: scheme, catalog)
            } catch {
                switch error {
                case .unknownScheme(let scheme):
                    let known = catalog.origins.map(\.scheme).joined(separator: ", ")
                    throw CommandError.usage("no origin has the scheme `\(scheme)`. There are \(known).")
                case .destination(let fault) where target.isDestination:
                    throw CommandError.no("\(fault.route) has no link: \(fault.message)")
                case .destination(let fault):
                    throw CommandError.no("destination \(fault.index) (\(fault.route)) has no link: \(fault.message)")
                }
            }
            print(try signature?.signed(link, in: catalog) ?? link)
        }
    }
}

/// The keys and the expiry for signing a link.
private struct LinkSigning {
    let keys: LinkSigningKeys
    let expires: String?

    /// The ways to name the file of keys, for messages.
    let ways: String

    /// Returns a link with its signature.
    ///
    /// - Throws: ``CommandError`` if no key is set, or the link needs no signature.
    func signed(_ link: String, in catalog: RouteCatalog) throws -> String {
        guard !keys.areMissing else {
            throw CommandError.usage("no link-signing keys are set. Name their file by \(ways).")
        }
        let expiry = expires.flatMap { Timestamp(rfc3339: $0) }
        guard let signed = keys.sign(link, leadingInto: catalog, expiry: expiry) else {
            throw CommandError.no(
                "no destination of \(link) is signed. Leave --sign out, or write `signed: true` at its route."
            )
        }
        return signed
    }
}

/// The target of a link to be built.
private enum LinkBuildTarget {
    case stack([Destination])
    case route(String, [BoundParameter])

    /// Reads a stack, a response with a stack, or a single destination.
    ///
    /// - Throws: ``CommandError`` of code 65, naming the source of the text.
    init(_ bytes: [UInt8], named name: String) throws(CommandError) {
        guard case .object(let members) = try JSONInput.parse(bytes, named: name), members["stack"] == nil,
            case .string(let route)? = members["route"]
        else {
            let stack = try StackArgument.read(bytes, named: name)
            guard !stack.isEmpty else { throw CommandError.badData("\(name) holds an empty stack.") }
            self = .stack(stack)
            return
        }
        let keys: [ByteText] = ["route", "parameters"]
        if let unknown = members.first(where: { !keys.contains($0.name) })?.name {
            throw CommandError.badData("\(name) has the key `\(unknown)`; a destination has route, parameters.")
        }
        do throws(Problem) {
            self = .route(route, try members["parameters"]?.parameters(field: "parameters", name: "`parameters`") ?? [])
        } catch {
            throw CommandError.badData("\(name): \(error.detail)")
        }
    }

    /// Whether it is a single destination without a stack below.
    var isDestination: Bool {
        if case .route = self { true } else { false }
    }

    func link(scheme: String?, _ catalog: RouteCatalog) throws(LinkBuildingError) -> String {
        switch self {
        case .stack(let stack): try DeepLinkCore.link(to: stack, scheme: scheme, catalog: catalog)
        case .route(let route, let parameters):
            try DeepLinkCore.link(toRoute: route, parameters: parameters, scheme: scheme, catalog: catalog).link
        }
    }
}

/// The group of the commands about links.
package struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Builds links.",
        subcommands: [LinkBuildCommand.self]
    )
}
