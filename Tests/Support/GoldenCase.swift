import DeepLinkCatalog
package import DeepLinkCore
import Foundation
import Yams

/// One case of a golden file: a link, how it is meant, a level with grants, and what the engine must answer.
package struct GoldenCase: Sendable, CustomStringConvertible {
    /// The name of its file.
    package let file: String

    /// The purpose of the case.
    package let note: String

    /// The file's catalog.
    package let catalog: RouteCatalog

    /// The link, or reference.
    package let link: String

    /// The mode of the link.
    package let mode: ResolutionRequest.Mode

    /// The current stack: a link, or a stack.
    package let from: CurrentStack?

    /// Whether a part of the link will do.
    package let acceptsPart: Bool

    /// The user's level and grants, and what the app asserts: by default the highest level alone.
    package let permissions: Permissions

    /// The app that asks.
    package let app: AppVersion?

    /// The expected answer of the engine, line by line.
    package let want: [String]

    package var description: String { "\(file): \(note): \(link)" }

    /// Reads every case of `Cases/*.yaml`; a file that cannot be read ends the run.
    package static let all: [GoldenCase] = {
        do {
            return try Checkout.files(in: "Tests/DeepLinkCoreTests/Cases", withExtension: "yaml").flatMap(read)
        } catch {
            preconditionFailure("a golden file cannot be read: \(error)")
        }
    }()

    private static func read(_ url: URL) throws -> [GoldenCase] {
        let text = try String(contentsOf: url, encoding: .utf8)
        guard let root = try Yams.compose(yaml: text)?.mapping, let cases = root["cases"]?.sequence else {
            throw CocoaError(.fileReadCorruptFile)
        }
        let catalogText = try root["catalog"]?.string.map { Array($0.utf8) } ?? Checkout.bytes("Config/routes.yaml")
        let catalog: RouteCatalog
        do throws(CatalogError) {
            catalog = try CatalogLoader.load(catalogText, file: url.lastPathComponent)
        } catch {
            preconditionFailure("\(url.lastPathComponent): \(error.issues)")
        }
        return try cases.map { node in
            guard let link = node["link"]?.string, let note = node["note"]?.string, let want = node["want"] else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return GoldenCase(
                file: url.lastPathComponent,
                note: note,
                catalog: catalog,
                link: link,
                mode: node["mode"]?.string.flatMap(ResolutionRequest.Mode.init(rawValue:)) ?? .replace,
                from: try node["from"].map(current),
                acceptsPart: node["partial"]?.bool ?? false,
                permissions: permissions(node, in: catalog),
                app: node["app"]?.string.flatMap(AppVersion.init),
                want: want.sequence.map { $0.compactMap(\.string) } ?? [want.string ?? ""]
            )
        }
    }

    private static func permissions(_ node: Node, in catalog: RouteCatalog) -> Permissions {
        func names(_ key: String) -> [String] { node[key]?.sequence?.compactMap(\.string) ?? [] }
        return Permissions(
            level: node["level"]?.string.flatMap(catalog.levels.level(named:)) ?? catalog.levels.highest,
            grants: catalog.grants.set(names("grants").compactMap(GrantName.init))
        )
        .joined(with: catalog.assertions(names("holds")))
    }

    /// Reads a link, or a list of `{ route, presentation, parameters }`.
    private static func current(_ node: Node) throws -> CurrentStack {
        guard let items = node.sequence else { return .link(try DeepLink(node.string ?? "", rootless: .all)) }
        return .stack(
            try items.map { item in
                guard let route = item["route"]?.string,
                    let presentation = item["presentation"]?.string.flatMap(Presentation.init(name:))
                else { throw CocoaError(.fileReadCorruptFile) }
                let parameters = (item["parameters"]?.mapping ?? [:])
                    .map { name, value in
                        BoundParameter(
                            name: name.string ?? "",
                            value: value.int.map { .int(Int64($0)) } ?? .string(value.string ?? "")
                        )
                    }
                return Destination(route: route, presentation: presentation, parameters: parameters)
            }
        )
    }
}
