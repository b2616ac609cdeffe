import DeepLinkCore
import Testing
import WaymarkTestSupport

@Suite struct GoldenTests {
    @Test(arguments: GoldenCase.all)
    func `the engine answers as the golden file says`(_ golden: GoldenCase) {
        let lines: [String]
        do throws(LinkSyntaxError) {
            let request = try ResolutionRequest(
                link: Array(golden.link.utf8),
                mode: golden.mode,
                current: golden.from,
                acceptsPart: golden.acceptsPart,
                app: golden.app,
                rootless: golden.catalog.rootlessSchemes
            )
            lines = ResolutionSummary.lines(resolve(request, permissions: golden.permissions, catalog: golden.catalog))
        } catch {
            lines = ["malformed-link \(error.reason.rawValue) at \(error.offset)"]
        }
        #expect(lines == golden.want)
    }
}
