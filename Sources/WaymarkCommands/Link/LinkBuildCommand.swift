import ArgumentParser
import DeepLinkCore

/// The command that prints the link that leads to a stack.
struct LinkBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Prints the link that leads to a stack.",
        discussion: """
            The stack is a JSON array of {"route", "presentation", "parameters"}, or an answer that has one:

            waymark resolve navigation:/episodes --level signedInUser --format json | waymark link build
            waymark link build stack.json --scheme https
            waymark link build stack.json --all-schemes

            Exits with 0 where there is a link, 1 where the stack has none, 65 where the stack is malformed.
            """
    )

    @Argument(help: "The file that holds the stack; without one, or with -, standard input.")
    var file: String = "-"

    @Option(help: "The scheme of the link; without one, that of the catalog's first origin.")
    var scheme: String?

    @Flag(help: "Print a link for each scheme of the catalog, one a line.")
    var allSchemes = false

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard scheme == nil || !allSchemes else {
            throw ValidationError("Give --scheme or --all-schemes, not both.")
        }
    }

    func run() async throws {
        let catalog = try Workspace(settings: try shared.settings()).catalog()
        let stack = try StackArgument.read(try InputFile.read(file), named: InputFile.name(file))
        guard !stack.isEmpty else { throw CommandError(.badData, "\(InputFile.name(file)) holds an empty stack.") }
        var schemes: [String?] = [scheme]
        if allSchemes {
            schemes = catalog.origins.map(\.scheme)
                .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
        for scheme in schemes {
            do throws(LinkBuildingError) {
                print(try DeepLinkCore.link(to: stack, scheme: scheme, catalog: catalog))
            } catch {
                switch error {
                case .unknownScheme(let scheme):
                    let known = catalog.origins.map(\.scheme).joined(separator: ", ")
                    throw CommandError(.usage, "no origin has the scheme `\(scheme)`. There are \(known).")
                case .destination(let fault):
                    throw CommandError(
                        .no,
                        "destination \(fault.index) (\(fault.route)) has no link: \(fault.message)"
                    )
                }
            }
        }
    }
}
