import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import NIOCore
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Checks what is kept ready beside the catalog in force.
@Suite struct LiveCatalogTests {
    private func catalog(_ route: String) throws -> RouteCatalog {
        let text = "version: 1\norigins: [{ scheme: x }]\nentry: { \(route): root }\nroutes: { \(route): {} }\n"
        return try CatalogLoader.load(Array(text.utf8), file: route)
    }

    @Test func `the document is that of the catalog in force, and made once`() throws {
        let first = try catalog("first")
        let live = LiveCatalog(first)
        #expect(Array(live.document.body.readableBytesView) == CatalogBody(first).json)
        #expect(live.document.tag == "\"\(first.version)\"")
        // The same bytes in memory, not others that are equal.
        let addresses = (0..<2).map { _ in live.document.body.withUnsafeReadableBytes { $0.baseAddress } }
        #expect(addresses[0] == addresses[1])
        let second = try catalog("second")
        live.replace(with: second)
        #expect(Array(live.document.body.readableBytesView) == CatalogBody(second).json)
        #expect(live.document.tag == "\"\(second.version)\"")
    }
}
