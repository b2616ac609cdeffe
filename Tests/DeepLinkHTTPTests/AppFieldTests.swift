import DeepLinkCore
import Testing

@testable import DeepLinkHTTP
@testable import HTTPServer

@Suite struct AppFieldTests {
    @Test func `the field is read only where it is wanted, and twice it is no version`() {
        var unwanted = RequestFields()
        unwanted.take("Waymark-App", value: "ios/3.1.0", own: RequestFields.ownNames)
        #expect(unwanted.app == nil)
        var fields = RequestFields(wanted: .app)
        fields.take("waymark-APP", value: "ios/3.1.0", own: RequestFields.ownNames)
        #expect(fields.app == "ios/3.1.0")
        fields.take("Waymark-App", value: "ios/3.1.0", own: RequestFields.ownNames)
        #expect(fields.app.flatMap(AppVersion.init) == nil)
    }

    @Test func `a server wants it while its catalog asks for versions or divides its apps`() throws {
        let plain = try TestServer.Circumstance.usual.catalog()
        let asking = try TestServer.Circumstance.appVersions.catalog()
        let divided = try TestServer.Circumstance.namedApps.catalog()
        let catalog = LiveCatalog(plain)
        let service = try TestServer.service(catalog: catalog)
        #expect(!service.connections.wantedFields.contains(.app))
        catalog.replace(with: asking)
        #expect(service.connections.wantedFields.contains(.app))
        catalog.replace(with: plain)
        #expect(!service.connections.wantedFields.contains(.app))
        catalog.replace(with: divided)
        #expect(service.connections.wantedFields.contains(.app))
        catalog.replace(with: plain)
        #expect(!service.connections.wantedFields.contains(.app))
    }
}
