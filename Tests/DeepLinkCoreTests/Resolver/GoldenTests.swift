import DeepLinkCore
import Testing
import WaymarkTestSupport

@Suite struct GoldenTests {
    @Test(arguments: GoldenCase.all)
    func `the engine answers as the golden file says`(_ golden: GoldenCase) {
        let lines: [String]
        do throws(LinkSyntaxError) {
            let bytes = Array(golden.link.utf8)
            let request = ResolutionRequest(
                link: try golden.mode == .append ? DeepLink(reference: bytes) : DeepLink(bytes: bytes),
                mode: golden.mode,
                current: golden.from,
                acceptsPart: golden.acceptsPart
            )
            lines = ResolutionSummary.lines(resolve(request, userLevel: golden.level, catalog: golden.catalog))
        } catch {
            lines = ["malformed-link \(error.reason.rawValue) at \(error.offset)"]
        }
        #expect(lines == golden.want)
    }
}
