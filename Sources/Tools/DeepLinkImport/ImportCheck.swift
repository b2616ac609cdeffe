package import DeepLinkCore

/// The proof of a draft: each link is resolved by the loaded catalog, and what it refuses is reported.
package struct ImportCheck {
    private let catalog: RouteCatalog
    private let draft: ImportedDraft

    /// The report, with the refused links.
    package private(set) var report: ImportReport

    /// Creates the proof of a draft by its loaded catalog.
    package init(_ draft: ImportedDraft, catalog: RouteCatalog) {
        self.draft = draft
        self.catalog = catalog
        report = draft.report
    }

    /// Resolves a link.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - place: The file and line, for the report.
    package mutating func check(_ link: DeepLink, at place: @autoclosure () -> String) {
        guard case .failure(let error) = answer(to: link) else { return }
        report.note(refused: link.text, at: place(), because: Self.reason(error))
    }

    /// Counts lines that are no link.
    package mutating func note(faults: Int) { report.note(faults: faults) }

    /// The cases for `waymark check`, with the stacks of the draft.
    package var cases: String {
        var lines = [
            "# Cases of the drafted catalog, for `waymark check`: each link with the routes that it opens."
        ]
        for text in draft.samples {
            guard let link = try? DeepLink(text, rootless: .all), case .plan(let plan) = answer(to: link) else {
                continue
            }
            let stack = plan.stack.map { DraftWriter.scalar($0.route) }.joined(separator: ", ")
            var writer = JSONWriter()
            writer.string(text)
            lines.append("- { link: \(String(decoding: writer.bytes, as: UTF8.self)), stack: [\(stack)] }")
        }
        if lines.count == 1 { lines.append("[]") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func answer(to link: DeepLink) -> Resolution {
        resolve(ResolutionRequest(link: link), permissions: .none, catalog: catalog)
    }

    private static func reason(_ error: ResolutionError) -> String {
        switch error {
        case .unknownOrigin: "no origin has its scheme and host"
        case .noMatchingRoute(let report):
            report.unmatched.first.map { ReservedPath.contains($0) } == true && report.matched.isEmpty
                ? "the server keeps paths that begin with `\(report.unmatched.first ?? "")` for itself"
                : "no route matches it"
        default: error.message
        }
    }
}
