import DeepLinkCatalog
import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport
import Yams

/// Tests of links to a destination alone, as `Cases/destinations/*.yaml` has them.
@Suite struct DestinationLinkTests {
    /// One case: a destination, and its link or the reason why it has none.
    struct Case: Sendable, CustomTestStringConvertible {
        let note: String
        let catalog: RouteCatalog
        let route: String
        let parameters: [BoundParameter]
        let want: [String]

        var testDescription: String { "\(note): \(route)" }

        /// Every case of every file; one that cannot be read ends the run.
        static let all: [Case] = {
            do {
                return try Checkout.files(in: "Tests/DeepLinkCoreTests/Cases/destinations", withExtension: "yaml")
                    .flatMap(read)
            } catch {
                preconditionFailure("a file of destinations cannot be read: \(error)")
            }
        }()

        private static func read(_ url: URL) throws -> [Case] {
            let root = try Yams.compose(yaml: String(contentsOf: url, encoding: .utf8))
            guard let text = root?["catalog"]?.string, let cases = root?["cases"]?.sequence else {
                throw CocoaError(.fileReadCorruptFile)
            }
            let catalog = try CatalogLoader.load(Array(text.utf8), file: url.lastPathComponent)
            return try cases.map { node in
                guard let note = node["note"]?.string, let route = node["route"]?.string, let want = node["want"] else {
                    throw CocoaError(.fileReadCorruptFile)
                }
                return Case(
                    note: note,
                    catalog: catalog,
                    route: route,
                    parameters: (node["parameters"]?.mapping ?? [:])
                        .map { name, value in
                            BoundParameter(
                                name: name.string ?? "",
                                value: value.int.map { .int(Int64($0)) } ?? .string(value.string ?? "")
                            )
                        },
                    want: want.sequence.map { $0.compactMap(\.string) } ?? [want.string ?? ""]
                )
            }
        }
    }

    @Test(arguments: Case.all)
    func `a destination has the link with the fewest segments that needs no other value`(_ example: Case) throws {
        var lines: [String]
        var stack: [Destination] = []
        do throws(LinkBuildingError) {
            let link = try link(toRoute: example.route, parameters: example.parameters, catalog: example.catalog)
            stack = link.stack
            lines = [link.link]
        } catch {
            switch error {
            case .destination(let fault):
                #expect(fault.route == example.route || !fault.route.isEmpty)
                lines = ["no-link", fault.message]
            case .unknownScheme: throw error
            }
        }
        #expect(lines == example.want)
        guard lines.count == 1 else { return }
        let request = ResolutionRequest(link: try DeepLink(lines[0]))
        guard case .plan(let plan) = resolve(request, userLevel: .premiumUser, catalog: example.catalog) else {
            Issue.record("\(lines[0]) does not resolve")
            return
        }
        #expect(plan.stack == stack && stack.contains { $0.route == example.route })
    }

    @Test(
        arguments: [
            (["tabs", "far"], 1, "far"), (["tabs", "near", "farther"], 2, "farther"),
            (["tabs", "near", "deep"], 2, "deep"),
            (["tabs", "shell", "first", "far"], 3, "far"),
        ]
    )
    func `the destination that has no link is blamed, not the container below it`(
        _ names: [String],
        _ index: Int,
        _ route: String
    ) throws {
        let text = """
            version: 1
            origins: [{ scheme: nav }]
            entry: { tabs: root }
            routes:
              tabs: { path: "", opens: { near: push, far: push, shell: push } }
              near: { path: "", opens: { deep: { presentation: push, linkable: false }, farther: push } }
              shell: { opens: { first: { presentation: push, initial: true }, far: push } }
              first: { opens: { far: push } }
              # Each part of such a segment has at least one byte.
              far: { path: "far/{a}-{b}" }
              farther: { path: "farther/{a}-{b}" }
              deep: {}
            """
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "blame.yaml")
        func stack(_ value: String) -> [Destination] {
            names.enumerated()
                .map { place, name in
                    Destination(
                        route: name,
                        presentation: place == 0 ? .root : .push,
                        parameters: name.hasPrefix("far")
                            ? [
                                BoundParameter(name: "a", value: .string(value)),
                                BoundParameter(name: "b", value: .string("z")),
                            ] : []
                    )
                }
        }
        if route != "deep" { #expect(try !link(to: stack("x"), catalog: catalog).isEmpty) }
        #expect {
            try link(to: stack(""), catalog: catalog)
        } throws: { error in
            guard case LinkBuildingError.destination(let fault) = error else { return false }
            return fault.index == index && fault.route == route
        }
    }

    @Test func `the link is under the scheme that is asked for`() throws {
        let catalog = try SampleApp.catalog()
        #expect(
            try link(
                toRoute: "episode",
                parameters: [BoundParameter(name: "id", value: .int(7))],
                scheme: "https",
                catalog: catalog
            )
            .link
                == "https://loremipsum.com/episodes/episode/7"
        )
        #expect(throws: LinkBuildingError.unknownScheme("ftp")) {
            try link(toRoute: "login", scheme: "ftp", catalog: catalog)
        }
    }
}
