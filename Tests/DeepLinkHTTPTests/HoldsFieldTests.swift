import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import Testing

@testable import DeepLinkHTTP
@testable import HTTPServer

@Suite struct HoldsFieldTests {
    @Test func `the field is read only where it is wanted, and twice it is one list`() {
        var unwanted = RequestFields()
        unwanted.take("Waymark-Holds", value: "unlocked", own: RequestFields.ownNames)
        #expect(unwanted.holds == nil)
        var fields = RequestFields(wanted: .holds)
        fields.take("waymark-HOLDS", value: "unlocked", own: RequestFields.ownNames)
        fields.take("Waymark-Holds", value: "welcomed , ,x", own: RequestFields.ownNames)
        #expect(fields.holds.map(NameList.items) == ["unlocked", "welcomed", "x"])
    }

    @Test func `a server wants it while its catalog leaves something to the app, and says so to other origins`() throws
    {
        let catalog = LiveCatalog(try TestServer.Circumstance.usual.catalog())
        let service = try TestServer.service(catalog: catalog)
        #expect(!service.connections.wantedFields.contains(.holds))
        #expect(LinkSite.varying(in: catalog.current)[.vary]?.contains("Waymark-Holds") == false)
        catalog.replace(with: try TestServer.Circumstance.grants.catalog())
        #expect(service.connections.wantedFields.contains(.holds))
        #expect(LinkSite.varying(in: catalog.current)[.vary]?.hasSuffix(", Waymark-App, Waymark-Holds") == true)
        catalog.replace(with: try TestServer.Circumstance.appVersions.catalog())
        #expect(service.connections.wantedFields == .app)
    }
}
