import DeepLinkCatalog
import DeepLinkCore
import DeepLinkHTTP
import Testing
import WaymarkTestSupport

/// Tests of the server by public reports about deep links in other systems, and by the tests of apps.
@Suite struct PublicReportTests {
    /// The checks that do not hold yet, by case and number.
    static let knownIssues: Set<String> = []

    @Test(arguments: PublicReportCase.all)
    func `a report is answered right`(_ report: PublicReportCase) async throws {
        let catalog: RouteCatalog
        do throws(CatalogError) {
            catalog = try CatalogLoader.load(Array(report.catalog.utf8), file: "\(report.id).yaml")
        } catch {
            guard !report.mayBeRefused else { return }
            throw error
        }
        let service = try TestServer.service(catalog: LiveCatalog(catalog))
        try await TestServer.application(service)
            .whileServing { port in
                for check in report.checks {
                    let connection = try RawConnection(port: port)
                    let response = try await connection.exchange(check.request)
                    let id = "\(report.id) \(check.number)"
                    withKnownIssue {
                        for difference in check.differences(from: response) { Issue.record("\(id): \(difference)") }
                    } when: {
                        Self.knownIssues.contains(id)
                    }
                }
            }
    }

    @Test func `the reports are there, and the known issues are among them`() {
        let all = PublicReportCase.all.flatMap { report in report.checks.map { "\(report.id) \($0.number)" } }
        #expect(all.count == 113)
        #expect(Self.knownIssues.isSubset(of: all))
    }
}
