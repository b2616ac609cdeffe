import DeepLinkCore
import Testing

@Suite struct GoldenTests {
    @Test(arguments: GoldenCase.all)
    func `the engine answers as the golden file says`(_ golden: GoldenCase) {
        let lines: [String]
        do throws(LinkSyntaxError) {
            let request = ResolutionRequest(link: try DeepLink(golden.link))
            lines = ResolutionSummary.lines(resolve(request, userLevel: golden.level, catalog: golden.catalog))
        } catch {
            lines = ["malformed-link \(error.reason.rawValue) at \(error.offset)"]
        }
        #expect(lines == golden.want)
    }
}
