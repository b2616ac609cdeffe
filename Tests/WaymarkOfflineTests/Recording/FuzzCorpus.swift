import DeepLinkCatalog
import DeepLinkCore
import Foundation
import WaymarkTestSupport

/// The seeds of the fuzzer.
struct FuzzCorpus {
    /// The catalogs that load, and the examples.
    let catalogs: [RouteCatalog]

    /// The catalogs in JSON, as they are.
    let catalogTexts: [[UInt8]]

    /// The links, each with the link in the second line of its file, if there is one.
    let links: [(link: String, from: String?)]

    /// The bodies and other JSON, good or not.
    let json: [[UInt8]]

    /// Reads the files.
    init() throws {
        let folder = "Tests/Fuzz/Corpus"
        let files =
            [URL(fileURLWithPath: Checkout.path("Config/routes.yaml"))]
            + (try Checkout.files(in: "Config/examples", withExtension: "yaml"))
            + (try Checkout.files(in: "Config/examples/apps", withExtension: "yaml"))
            + (try Checkout.files(in: "\(folder)/FuzzCatalog", withExtension: "yaml"))
        catalogs = files.compactMap { try? CatalogLoader.load(contentsOf: $0.path) }
        catalogTexts = try Self.texts(in: "\(folder)/FuzzCatalog", withExtension: "json")
        json = try Self.texts(in: "\(folder)/FuzzJSON", withExtension: "json")
        links = try Self.texts(in: "\(folder)/FuzzLink", withExtension: "txt")
            .map { bytes in
                let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
                    .map { String(decoding: $0, as: UTF8.self) }
                return (link: lines[0], from: lines.dropFirst().first { !$0.isEmpty })
            }
    }

    private static func texts(in folder: String, withExtension ending: String) throws -> [[UInt8]] {
        try Checkout.files(in: folder, withExtension: ending).map { Array(try Data(contentsOf: $0)) }
    }
}
