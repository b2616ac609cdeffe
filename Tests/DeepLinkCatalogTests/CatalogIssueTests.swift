import DeepLinkCatalog
import DeepLinkCore
import DeepLinkWeb
import Testing
import WaymarkTestSupport

/// Tests of the catalogs of `Cases/issues/*.yaml`, each of which shows what a mistake is answered with.
@Suite struct CatalogIssueTests {
    private func issues(_ example: IssueCase) async throws -> [CatalogIssue] {
        guard example.files.isEmpty else {
            return try await CatalogFolder.with(example.files.merging(["test.yaml": example.catalog]) { $1 }) {
                folder in
                folder.issues(of: "test.yaml")
            }
        }
        do throws(CatalogError) {
            let catalog = try CatalogLoader.load(Array(example.catalog.utf8), file: "test.yaml")
            return catalog.adding(AssociationFiles(catalog).warnings).warnings
        } catch {
            return error.issues
        }
    }

    @Test(arguments: IssueCase.all)
    func `every mistake is reported at its place, with the way out, and nothing else is`(
        _ example: IssueCase
    ) async throws {
        let issues = try await issues(example)
        let places = issues.map { issue in
            let file = issue.location.file == "test.yaml" ? "" : issue.location.file + ":"
            return "\(issue.code.rawValue) \(file)\(issue.location.line):\(issue.location.column)"
        }
        #expect(places == example.want.map(\.place), "\(issues)")
        for (issue, want) in zip(issues, example.want) {
            #expect(!issue.message.isEmpty && !issue.hint.isEmpty)
            #expect(want.hint.isEmpty || issue.hint.contains(want.hint), "\(issue)")
        }
    }

    @Test func `every code has an example`() {
        let missing = Set(CatalogIssue.Code.allCases.map(\.rawValue))
            .subtracting(IssueCase.all.flatMap(\.want).map(\.code))
        #expect(missing.isEmpty, "\(missing)")
    }
}
