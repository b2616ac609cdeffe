import Foundation

@testable import DeepLinkCatalog
@testable import DeepLinkCore

/// Gives fuzz targets the catalogs of the checkout.
enum Catalogs {
    /// The sample app's, the examples, and those of the corpus that are sound.
    static let all: [RouteCatalog] = {
        let checkout = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folders = ["Config/examples", "Config/examples/apps", "Tests/Fuzz/Corpus/FuzzCatalog"]
        let files = folders.flatMap { folder in
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: checkout.appending(path: folder).path)) ?? []
            return names.sorted().map { checkout.appending(path: folder).appending(path: $0) }
        }
        let catalogs = files.compactMap { try? CatalogLoader.load(contentsOf: $0.path) }
        Law.require(catalogs.count >= 8, "only \(catalogs.count) catalogs are to be had in \(checkout.path)")
        return catalogs
    }()
}
