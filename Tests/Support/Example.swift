import DeepLinkCatalog
package import DeepLinkCore
import Foundation

/// Gives tests the example catalogs.
package enum Example {
    /// The names of all of them.
    package static let names = ["sample-app", "suinavigation", "router", "folders", "inventory"]

    /// Loads one of `Config/examples`.
    package static func catalog(_ name: String) throws -> RouteCatalog {
        try CatalogLoader.load(contentsOf: Checkout.path("Config/examples/\(name).yaml"))
    }

    /// Loads one with a part of its text replaced; the part stands there once.
    package static func catalog(
        _ name: String,
        replacing old: String,
        with new: String
    ) throws -> RouteCatalog {
        let text = String(decoding: try Checkout.bytes("Config/examples/\(name).yaml"), as: UTF8.self)
        precondition(text.components(separatedBy: old).count == 2, "`\(old)` does not stand once in \(name).yaml")
        return try CatalogLoader.load(Array(text.replacing(old, with: new).utf8), file: "\(name).yaml")
    }
}
