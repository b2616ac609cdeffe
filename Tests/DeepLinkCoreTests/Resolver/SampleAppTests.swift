import DeepLinkCore
import DeepLinkFormats
import Testing
import WaymarkTestSupport

@Suite struct SampleAppTests {
    @Test(arguments: SampleApp.cases, AuthorizationLevel.allCases)
    func `a link of the sample app answers as its vector says`(
        _ vector: SampleAppCase,
        _ level: AuthorizationLevel
    ) throws {
        let catalog = try SampleApp.catalog()
        let request = ResolutionRequest(link: try DeepLink(vector.link))
        switch resolve(request, userLevel: level, catalog: catalog) {
        case .plan(let plan):
            #expect(level >= vector.requiredLevel)
            #expect(plan.requiredLevel == vector.requiredLevel)
            #expect(plan.canonicalLink == vector.link)
            let body = PlanBody(plan).json
            #expect(try CanonicalJSON.member("stack", of: body) == vector.stack)
        case .denial(let denial):
            #expect(level < vector.requiredLevel)
            #expect(denial.requiredLevel == vector.requiredLevel)
            #expect(denial.userLevel == level)
            #expect(denial.gate?.level == AuthorizationLevel(rank: level.rank + 1))
        case .otherApp(let denial): Issue.record("\(denial)")
        case .outdated(let update): Issue.record("\(update)")
        case .failure(let failure): Issue.record("\(failure)")
        }
    }

    @Test func `the vectors are there`() {
        #expect(SampleApp.cases.count == 17)
    }
}
