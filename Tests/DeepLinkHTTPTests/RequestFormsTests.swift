import DeepLinkCore
import DeepLinkStorage
import Testing

@testable import DeepLinkFormats
@testable import DeepLinkHTTP
@testable import HTTPServer

/// Checks the values that requests name in several places.
@Suite struct RequestFormsTests {
    private static func fields(_ values: [String]) -> FieldValues {
        var fields = FieldValues.none
        for value in values { fields.append(value) }
        return fields
    }

    /// A value as text, or the field and reason of its refusal.
    private static func outcome(_ body: () throws(Problem) -> String?) -> String {
        do throws(Problem) {
            return try body() ?? "none"
        } catch {
            guard case .object(let members)? = try? JSONParser.parse(error.json),
                case .string(let field)? = members["field"], case .string(let reason)? = members["reason"]
            else { return error.code.rawValue }
            return "\(field): \(reason)"
        }
    }

    @Test(
        arguments: [
            (nil, [], "none"), ("ada", [], "ada"), (nil, ["ada"], "ada"), ("ada", ["ada"], "ada"),
            ("ada", ["bob"], "user: conflict"), ("\u{E9}", ["e\u{301}"], "user: conflict"),
            (nil, ["ada", "ada"], "Waymark-User: duplicate"), (nil, ["a\u{FFFD}"], "Waymark-User: malformed"),
            ("", [], "user: invalid-value"), (".", [], "user: invalid-value"),
            (nil, [".."], "Waymark-User: invalid-value"),
            ("a\n", [], "user: invalid-value"), (nil, [""], "Waymark-User: invalid-value"),
        ] as [(String?, [String], String)]
    )
    func `a user is named once, or twice the same`(_ named: String?, _ header: [String], _ outcome: String) {
        #expect(
            Self.outcome { () throws(Problem) in try RequestedUser.user(named, fields: Self.fields(header))?.text }
                == outcome
        )
    }

    @Test(arguments: [(256, true), (257, false)])
    func `an id has 256 bytes at most`(_ count: Int, _ isTaken: Bool) {
        let id = String(repeating: "\u{E9}", count: count / 2) + (count % 2 == 0 ? "" : "a")
        let outcome = Self.outcome { () throws(Problem) in try RequestedUser.id(id, field: "id").text }
        #expect(outcome == (isTaken ? id : "id: invalid-value"))
    }

    @Test(
        arguments: [
            (nil, nil, "none"), ("ios/3.1.0", nil, "ios/3.1.0"), (nil, "android/2", "android/2"),
            ("ios/3.1", "ios/3.1.0", "ios/3.1"),
            ("ios/3.1", "ios/3.2", "app: conflict"), ("ios", nil, "app: invalid-value"),
            (nil, "ios/", "Waymark-App: invalid-value"),
            ("ios/a", nil, "app: invalid-value"), ("ios/0.0", nil, "none"), (nil, "browser/2.4", "none"),
            ("browser/1", "browser/2", "none"), ("ios/0", "ios/1", "app: conflict"),
            ("browser", nil, "app: invalid-value"),
            ("browser/1.a", nil, "app: invalid-value"), ("browsers/1", nil, "app: invalid-value"),
        ] as [(String?, String?, String)]
    )
    func `an app is named once, or twice the same`(_ named: String?, _ header: String?, _ outcome: String) throws {
        let catalog = try TestServer.Circumstance.usual.catalog()
        let wanted = AppVersion(outcome).map { "\($0)" } ?? outcome
        #expect(
            Self.outcome { () throws(Problem) in
                try RequestedApp.app(named, header: header, in: catalog).map { "\($0)" }
            } == wanted
        )
    }
    @Test(
        arguments: [
            ("driver.ios/3.1", nil, "driver.ios/3.1"), (nil, "rider.android/2.0.1", "rider.android/2.0.1"),
            ("driver.ios/3.1", "driver.ios/3.1.0", "driver.ios/3.1"), ("driver.ios/3.1", "ios/3.1", "app: conflict"),
            ("driver.ios/3.1", "rider.ios/3.1", "app: conflict"), ("taxi.ios/3", nil, "app: invalid-value"),
            (nil, "taxi.ios/3", "Waymark-App: invalid-value"), ("Driver.ios/3", nil, "app: invalid-value"),
            ("driver.ios/0", nil, "driver.ios/0"), ("ios/0", nil, "ios/0"), ("browser/3", nil, "none"),
            ("driver.browser/3", nil, "app: invalid-value"),
        ] as [(String?, String?, String)]
    )
    func `a named app is one of the catalog`(_ named: String?, _ header: String?, _ outcome: String) throws {
        let catalog = try TestServer.Circumstance.namedApps.catalog()
        #expect(
            Self.outcome { () throws(Problem) in try RequestedApp.app(named, header: header, in: catalog)?.text }
                == outcome
        )
    }

    @Test func `without names, the refusal shows the form without one`() throws {
        let catalog = try TestServer.Circumstance.usual.catalog()
        let refusal = #expect(throws: Problem.self) {
            try RequestedApp.app("driver.ios/1", header: nil, in: catalog)
        }
        #expect(
            refusal?.detail
                == "`driver` isn't an app; the catalog names none; send a platform and a version, such as `ios/3.1.0`."
        )
    }
}
