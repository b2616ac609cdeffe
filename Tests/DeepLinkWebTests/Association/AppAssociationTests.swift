import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Testing

@testable import DeepLinkWeb

/// Tests of the association files of a family of apps.
@Suite struct AppAssociationTests {
    private func file(_ platform: AssociationPlatform, of catalog: RouteCatalog) throws -> String {
        let bytes = try #require(AssociationFiles(catalog).file(for: platform, host: "ride.example"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the rules of an app that Apple's file has behind the server's own paths.
    private func details(_ app: String, _ components: String) -> String {
        let reserved = ReservedPath.segments.map { #"{"/":"/\#($0)/*","exclude":true,"percentEncoded":true},"# }
            .joined()
        return #"{"appIDs":["ABCDE12345.com.example.\#(app)"],"components":[\#(reserved)\#(components)]}"#
    }

    @Test func `Apple's file has the links of each app, and the app's credentials and clip`() throws {
        let numbers = (["-?*"] + (0...9).map { "\($0)*" }).map { "\"\($0)\"" }.joined(separator: ",")
        let rider = details("rider", #"{"/":"/profile"},{"/":"/trips/$(number)"},{"/":"*//?*"}"#)
        let driver = details("driver", #"{"/":"/profile"},{"/":"/shifts/$(number)"},{"/":"*//?*"}"#)
        let expected =
            #"{"applinks":{"defaults":{"percentEncoded":false},"substitutionVariables":{"number":[\#(numbers)]},"#
            + #""details":[\#(rider),\#(driver)]},"webcredentials":{"apps":["ABCDE12345.com.example.rider"]},"#
            + #""appclips":{"apps":["ABCDE12345.com.example.rider.Clip"]}}"#
        #expect(try file(.ios, of: AppFamily.catalog()) == expected)
        #expect(try AssociationFiles(AppFamily.catalog()).warnings.isEmpty)
    }

    @Test func `Android's file has a statement for each app, with its own rules and relations`() throws {
        let handling = "delegate_permission/common.handle_all_urls"
        func statement(_ app: String, relations: String, _ rule: String) -> String {
            #"{"relation":[\#(relations)],"target":{"namespace":"android_app","package_name":"com.example.\#(app)","#
                + #""sha256_cert_fingerprints":["\#(AppFamily.fingerprint)"]},"relation_extensions":{"\#(handling)":"#
                + #"{"dynamic_app_link_components":[{"/":"/profile"},{"/":"/profile/"},\#(rule),{"/":"/profile//*"},"#
                + #"{"/":"//*"}]}}}"#
        }
        let rider = statement(
            "rider",
            relations: #""\#(handling)","delegate_permission/common.get_login_creds""#,
            #"{"/":"/trips/?*"}"#
        )
        let driver = statement("driver", relations: "\"\(handling)\"", #"{"/":"/shifts/?*"}"#)
        #expect(try file(.android, of: AppFamily.catalog()) == "[\(rider),\(driver)]")
    }

    @Test func `a link that an app's pattern would take is excluded before it`() throws {
        let catalog = try AppFamily.catalog("path: \"shifts/{id}\", parameters: { id: int }", "path: \"{code}\"")
        let apple = try file(.ios, of: catalog)
        let rider = #"{"/":"*//?*"},{"/":"/profile"},{"/":"/trips/$(number)"},{"/":"/?*","exclude":true}"#
        let driver = #"{"/":"*//?*"},{"/":"/trips/$(number)","exclude":true},{"/":"/terms","exclude":true},{"/":"/?*"}"#
        #expect(apple.contains(details("rider", rider)), "\(apple)")
        #expect(apple.contains(details("driver", driver)), "\(apple)")
        #expect(AssociationFiles(catalog).warnings.isEmpty)
    }

    @Test func `links that no file can tell apart are handed to both apps, and a warning names them`() throws {
        let catalog = try AppFamily.catalog("path: \"shifts/{id}\", parameters: { id: int }", "path: \"{code}/{id}\"")
        let warnings = AssociationFiles(catalog).warnings
        let message =
            "Some links to `trip` open the app `driver`, although they belong to another app: Apple's association file cannot "
            + "tell them from links to other routes."
        // Behind a number, `*` takes any text: a link to the driver's screens among them.
        #expect(warnings.contains { $0.code == .associationInexact && $0.message == message }, "\(warnings)")
        #expect(
            warnings.contains {
                $0.message.contains("`trip` open the app `driver`") && $0.message.contains("Android's")
            }
        )
    }

    @Test(arguments: [("int", true), ("string", false)])
    func `a key of the query that opens another app's route keeps links from this one`(_ type: String, _ isExact: Bool)
        throws
    {
        let catalog = try AppFamily.catalog(
            "  profile: {}\n",
            "  profile: { opens: { tip: sheet } }\n"
                + "  tip: { query: tip, parameters: { tip: \(type) }, app: driver }\n"
        )
        let components =
            #"{"/":"/profile","?":{"tip":"?*"},"exclude":true},{"/":"/profile"},{"/":"/trips/$(number)"},{"/":"*//?*"}"#
        #expect(try file(.ios, of: catalog).contains(details("rider", components)))
        #expect(
            try file(.ios, of: catalog)
                .contains(details("driver", #"{"/":"/profile"},{"/":"/shifts/$(number)"},{"/":"*//?*"}"#))
        )
        #expect(
            try file(.android, of: catalog)
                .contains(
                    #"[{"/":"/profile","?":{"tip":"*"},"exclude":true},{"/":"/profile/","?":{"tip":"*"},"exclude":true},"#
                )
        )
        // The value of a text may be empty, which Apple's patterns cannot tell from an absent key.
        let warnings = AssociationFiles(catalog).warnings
        #expect(warnings.isEmpty == isExact)
        #expect(warnings.allSatisfy { $0.message.contains("Some links to `tip` open the app `rider`") })
    }

    @Test func `an unnamed app beside named ones opens the links of every app`() throws {
        let catalog = try AppFamily.catalog(
            "  rider:\n    was: unnamed\n",
            "  ios: [{ appID: ABCDE12345.com.example.old }]\n  rider:\n"
        )
        #expect(try file(.ios, of: catalog).contains(details("old", #"{"/":"/profile"},{"/":"*//?*"}"#)))
    }

    @Test func `codes of short links open in every app`() throws {
        let catalog = try AppFamily.catalog(
            "hosts: [ride.example] }]",
            "hosts: [ride.example] }, { scheme: https, hosts: [go.example], shortLinks: true }]"
        )
        let bytes = try #require(AssociationFiles(catalog).file(for: .ios, host: "go.example"))
        let apple = String(decoding: bytes, as: UTF8.self)
        for app in ["rider", "driver"] {
            #expect(apple.contains(details(app, #"{"/":"/?*"},{"/":"*//?*"}"#)), "\(apple)")
        }
        #expect(apple.hasSuffix(#""appclips":{"apps":["ABCDE12345.com.example.rider.Clip"]}}"#))
    }

    @Test(arguments: [
        ("profile", nil, true, ["rider", "driver"]), ("shifts/7", nil, true, ["driver"]),
        ("shifts/7", "ABCDE12345.com.example.rider", false, []),
        ("shifts/7", "ABCDE12345.com.example.driver", true, ["driver"]), ("terms", nil, false, []),
        ("shifts/7", "driver", true, ["driver"]), ("shifts/7", "rider", false, []),
        ("profile", "rider", true, ["rider"]),
    ])
    func `a test names the apps that open a URL`(_ path: String, _ app: String?, _ opens: Bool, _ apps: [String]) throws
    {
        let query = AssociationQuery(url: "https://ride.example/\(path)", platform: .ios, domain: nil, app: app)
        let result = query.answer(
            from: try AppFamily.catalog(),
            keys: NoKeys(),
            at: Timestamp(millisecondsSinceEpoch: 0)
        )
        #expect(result.verdict.opens == opens)
        #expect(result.apps == apps)
        #expect(result.lines.contains("apps      " + apps.joined(separator: ", ")) == !apps.isEmpty)
    }

    @Test func `a test of a catalog without named apps names none`() throws {
        let text = """
            version: 1
            origins: [{ scheme: https, hosts: [ride.example] }]
            apps: { ios: [{ appID: ABCDE12345.com.example.rider }] }
            entry: { shift: root }
            routes: { shift: { path: "shifts/{id}" } }
            """
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "one.yaml")
        let query = AssociationQuery(url: "https://ride.example/shifts/7", platform: .ios, domain: nil, app: nil)
        let result = query.answer(from: catalog, keys: NoKeys(), at: Timestamp(millisecondsSinceEpoch: 0))
        #expect(result.verdict.opens && result.apps == nil)
    }
}
