import DeepLinkCatalog
import DeepLinkCore
import DeepLinkImport

/// A draft of links and tables, with its loaded catalog.
struct LinkImport {
    let draft: ImportedDraft
    let catalog: RouteCatalog
    let check: ImportCheck

    /// Drafts a catalog, and loads it as `waymark catalog check` does.
    init(_ links: [String], tables: CatalogImport.Tables = CatalogImport.Tables()) throws {
        var work = try CatalogImport(tables)
        let read = links.compactMap { if case .link(let link) = LinkLine(ArraySlice($0.utf8)) { link } else { nil } }
        repeat { for link in read { work.read(link) } } while work.finishPass()
        draft = work.draft()
        catalog = try CatalogLoader.load(Array(draft.yaml.utf8), file: "draft")
        var check = ImportCheck(draft, catalog: catalog)
        for (place, link) in read.enumerated() { check.check(link, at: "links:\(place + 1)") }
        self.check = check
    }

    /// The names of the routes that a link opens, or the reason why it opens none.
    func stack(_ text: String) throws -> String {
        let link = try DeepLink(text, rootless: .all)
        switch resolve(ResolutionRequest(link: link), permissions: .none, catalog: catalog) {
        case .plan(let plan): return plan.stack.map(\.route).joined(separator: " › ")
        case .failure(let error): return error.message
        case .denial, .otherApp, .outdated: return "refused"
        }
    }

    /// The report as lines.
    var report: [String] { check.report.lines(routeCount: draft.routeCount) }

    /// The line of the draft that contains a text, without its indentation.
    func line(_ text: String) -> String? {
        draft.yaml.split(separator: "\n").first { $0.contains(text) }.map { String($0.drop { $0 == " " }) }
    }
}
