import DeepLinkCatalog
package import DeepLinkCore
import Foundation

/// Gives tests the sample app: its catalog, and the cases that the project was handed.
package enum SampleApp {
    /// Loads `Config/routes.yaml`.
    package static func catalog() throws -> RouteCatalog {
        try CatalogLoader.load(contentsOf: Checkout.path("Config/routes.yaml"))
    }

    /// The links of `sample-app.json` with what they must lead to.
    package static let cases: [SampleAppCase] = {
        do {
            let vectors = try JSONSerialization.jsonObject(
                with: Data(try Checkout.bytes("Tests/DeepLinkCoreTests/Vectors/sample-app.json"))
            )
            let cases = (vectors as? [String: Any])?["cases"] as? [[String: Any]] ?? []
            return try cases.map(SampleAppCase.init)
        } catch {
            preconditionFailure("the sample app's vectors cannot be read: \(error)")
        }
    }()
}
