import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import Testing
import WaymarkTestSupport

/// A catalog whose links are known, before it is edited.
struct Table: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let links: [String]

    var testDescription: String { name }

    /// The catalogs of `Config/examples`, and one of many origins; a file that cannot be read ends the run.
    static let all: [Table] = {
        do {
            let apps = try ["wordpress-android", "element-x", "deeplinkdispatch"]
                .map { try read("apps/\($0)", vectors: "apps/\($0).json") }
            let others = try ["folders", "inventory", "link-domain", "router"].map { try read($0, vectors: nil) }
            let vectors = try ["sample-app", "suinavigation"].map { try read($0, vectors: "\($0).json") }
            return apps + others + vectors + [Table(name: "origins", text: origins, links: [])]
        } catch {
            preconditionFailure("the catalogs of the examples cannot be read: \(error)")
        }
    }()

    private static func read(_ name: String, vectors: String?) throws -> Table {
        Table(
            name: name,
            text: String(decoding: try Checkout.bytes("Config/examples/\(name).yaml"), as: UTF8.self),
            links: try vectors.map(TableLinks.vectors) ?? []
        )
    }

    /// A catalog of several schemes, hosts that are segments, prefixes and fragments.
    private static let origins = """
        version: 1
        origins:
          - { scheme: https, hosts: [shop.example], authority: segment }
          - { scheme: https, hosts: [a.example, b.example] }
          - { scheme: https, hosts: [b.example], pathPrefix: orders }
          - { scheme: https, hosts: ["*.shop.example"], authority: segment }
          - { scheme: https, hosts: [app.example], fragment: path }
          - { scheme: shop, authority: segment }
          - { scheme: web, hosts: [c.example], pathPrefix: app }
          - { scheme: matrix, authority: none }
        gates: { signedInUser: /log-in }
        entry: { home: root, site: root, blog: root, login: root }
        routes:
          login: { path: log-in }
          site: { path: shop.example, opens: { home: push } }
          home:
            path: ""
            opens:
              orders: push
              item: push
              search: tab
              account: { presentation: sheet, authorizationLevel: signedInUser }
          blog: { path: "{blog}/posts/{post}", aliases: ["{blog}/p/{post}"], parameters: { post: { type: int } } }
          orders: { aliases: [history, account/history, orders/old], opens: { item: push } }
          item:
            path: "item/{id}/{tab?}"
            aliases: ["i/{id}", "{_?}/product/{id}"]
            parameters: { id: { type: int, min: 1 }, tab: { type: enum, values: [info, reviews], default: info }, size: { type: int, default: 1 } }
            opens: { zoom: push }
          zoom: { query: zoom, parameters: { level: { type: int, from: zoom } } }
          search: { parameters: { q: { type: string, required: true }, sort: { type: enum, values: [price, name], default: price } } }
          account: { path: me, aliases: [account], signed: true }
        """
}

/// Checks that a diff names every link of a table that changes.
@Suite struct TableLawTests {
    private static func load(_ text: String) -> RouteCatalog? {
        try? CatalogLoader.load(Array(text.utf8), file: "table.yaml")
    }

    /// The edits of a text that load, made from a seed.
    private static func edited(_ text: String, _ random: inout SeededGenerator) -> (
        text: String, catalog: RouteCatalog
    )? {
        var edited = text
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            if let next = TableEdit.apply(to: edited, &random), load(next) != nil { edited = next }
        }
        return edited == text ? nil : load(edited).map { (edited, $0) }
    }

    @Test(arguments: Table.all)
    func `there and back, whatever the edit`(_ table: Table) throws {
        let catalog = try CatalogLoader.load(Array(table.text.utf8), file: "table.yaml")
        for seed in 0..<UInt64(Effort.part(of: 200)) {
            if let seeds = Effort.seeds, !seeds.contains(seed) { continue }
            var random = SeededGenerator(seed: seed)
            guard let (text, other) = Self.edited(table.text, &random) else { continue }
            for (old, new) in [(catalog, other), (other, catalog)] {
                let walks = (0..<60).compactMap { _ in TableLinks(old).link(&random) }
                let report = try CatalogComparison(from: old, to: new).report()
                var unnamed: [String] = []
                for link in Set(table.links + walks).sorted() {
                    guard let fault = LinkOracle(old, new, report).unnamed(link) else { continue }
                    unnamed.append("\(link): \(fault)")
                }
                guard !unnamed.isEmpty else { continue }
                let lines = Set(table.text.split(separator: "\n")).symmetricDifference(text.split(separator: "\n"))
                Issue.record(
                    "seed \(seed) \(old === catalog ? "there" : "back")\n\(unnamed.joined(separator: "\n"))\n\(lines.sorted().joined(separator: "\n"))\n\(report.lines.filter { !$0.hasPrefix(" ") }.joined(separator: "\n"))"
                )
                return
            }
        }
    }
}

/// The outcome of a link, found without the comparison.
private struct LinkOracle {
    private let old: RouteCatalog
    private let new: RouteCatalog
    private let report: ComparisonReport

    init(_ old: RouteCatalog, _ new: RouteCatalog, _ report: ComparisonReport) {
        (self.old, self.new, self.report) = (old, new, report)
    }

    private func plan(_ text: String, _ catalog: RouteCatalog) -> RoutePlan? {
        guard let link = try? DeepLink(text, rootless: catalog.rootlessSchemes),
            case .plan(let plan) = resolve(ResolutionRequest(link: link), userLevel: .premiumUser, catalog: catalog)
        else { return nil }
        return plan
    }

    /// Says what happens to a link of which no finding tells; `nil` if one does, or nothing happens.
    func unnamed(_ link: String) -> String? {
        let (before, after) = (plan(link, old), plan(link, new))
        let scheme = String(link.prefix { $0 != ":" })
        guard let after else {
            guard let before else { return nil }
            let isTold = isTold(before.stack, scheme) { ($0.harms[.links] ?? .info) >= .risk }
            return isTold ? nil : "dies, was \(before.stack.map(\.route))"
        }
        if let fault = unread(after) { return fault }
        guard let before else { return nil }
        if before.stack != after.stack {
            let differing = (before.stack + after.stack)
                .filter { !before.stack.contains($0) || !after.stack.contains($0) }
            let stack = differing.isEmpty ? before.stack : differing
            guard isTold(stack, scheme, by: { !$0.harms.isEmpty }) else {
                return "leads to \(after.stack.map(\.route)), was \(before.stack.map(\.route))"
            }
        } else if before.requiredLevel != after.requiredLevel {
            guard isTold(after.stack, scheme, by: { $0.harms[.access] != nil }) else { return "takes another level" }
        }
        return nil
    }

    private func isTold(_ stack: [Destination], _ scheme: String, by isIt: (Finding) -> Bool) -> Bool {
        let routes = Set(stack.map(\.route.bytewise))
        return report.findings.contains { finding in
            guard isIt(finding) else { return false }
            let subject = finding.identity.subject
            if let route = subject.route { return routes.contains(route) }
            return subject.origin.map { $0.string.hasPrefix(scheme + ":") } ?? false
        }
    }

    /// Finds a value that code generated from the old catalog counts on and does not get.
    private func unread(_ plan: RoutePlan) -> String? {
        for destination in plan.stack {
            guard let route = old.routes.firstIndex(where: { $0.name == destination.route }) else { continue }
            let edges = old.edges.filter { $0.child == route }
            for parameter in edges.first?.parameters ?? [] {
                let isAlways = edges.allSatisfy { edge in
                    edge.parameters.firstIndex { $0.name == parameter.name }.map(edge.alwaysHas(parameter:)) ?? false
                }
                guard isAlways, !destination.parameters.contains(where: { $0.name == parameter.name }) else { continue }
                let isTold = report.findings.contains { finding in
                    let subject = finding.identity.subject
                    return finding.harms[.apps] == .breaking && subject.route?.string == destination.route
                        && subject.parameter?.string == parameter.name
                }
                if !isTold { return "apps need \(parameter.name) of \(destination.route)" }
            }
        }
        return nil
    }
}
