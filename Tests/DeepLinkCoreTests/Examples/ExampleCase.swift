import DeepLinkCore
import Testing
import WaymarkTestSupport

/// A link of an example catalog with the lines that sum up its answer.
struct ExampleCase: Sendable, CustomTestStringConvertible {
    let link: String
    let want: [String]

    init(_ link: String, _ want: String...) {
        self.link = link
        self.want = want
    }

    var testDescription: String { link }

    /// Resolves the link and sums up the answer.
    func answer(_ catalog: RouteCatalog) throws -> [String] {
        ResolutionSummary.lines(
            resolve(ResolutionRequest(link: try DeepLink(link)), userLevel: .premiumUser, catalog: catalog)
        )
    }
}
