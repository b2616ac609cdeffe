import DeepLinkCatalog
import DeepLinkCore
import DeepLinkWeb
import Testing
import WaymarkTestSupport

/// Tests of the catalogs of `Cases/issues/*.yaml`, each of which shows what a mistake is answered with.
@Suite struct CatalogIssueTests {
    private func issues(_ yaml: String) -> [CatalogIssue] {
        do throws(CatalogError) {
            let catalog = try CatalogLoader.load(Array(yaml.utf8), file: "test.yaml")
            return catalog.adding(AssociationFiles(catalog).warnings).warnings
        } catch {
            return error.issues
        }
    }

    @Test(arguments: IssueCase.all)
    func `every mistake is reported at its place, with the way out, and nothing else is`(_ example: IssueCase) {
        let issues = issues(example.catalog)
        let places = issues.map { "\($0.code.rawValue) \($0.location.line):\($0.location.column)" }
        #expect(places == example.want.map(\.place), "\(issues)")
        for (issue, want) in zip(issues, example.want) {
            #expect(issue.location.file == "test.yaml")
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
