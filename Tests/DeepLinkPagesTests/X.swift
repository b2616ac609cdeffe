import DeepLinkCatalog
import DeepLinkPages
import DeepLinkCore
import Testing
@Suite struct TmpTests {
    @Test func time() throws {
        let clock = ContinuousClock()
        print("QR", clock.measure { for i in 0..<200 { _ = QRCode("https://links.example.com/p/\(i)?sheet=test&more=1") } } / 200)
        let c = try CatalogLoader.load(contentsOf: "/tmp/dl.yaml")
        let p = LinkPages(c)
        if case .page(let b, _) = p.answer(link: Array("https://links.example.com/p/5".utf8), acceptLanguage: "ar,en;q=0.5", isBrowser: false) { print(String(decoding: b, as: UTF8.self)) }
        print("page", clock.measure { for _ in 0..<200 { _ = p.answer(link: Array("https://links.example.com/p/5".utf8), acceptLanguage: "ar,en;q=0.5", isBrowser: false) } } / 200)
    }
}
