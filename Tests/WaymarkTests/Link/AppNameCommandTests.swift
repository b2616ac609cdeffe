import Foundation
import Testing
import WaymarkTestSupport

/// Checks what commands answer an app that names itself.
@Suite struct AppNameCommandTests {
    @Test func `an app is named as the catalog names it`() async throws {
        let catalog = """
            version: 1
            origins: [{ scheme: ride }]
            apps: { rider: { was: unnamed }, driver: {} }
            entry: { help: root, shifts: root }
            routes: { help: {}, shifts: { app: driver, since: { driver.ios: "4" } } }
            """
        let cases = """
            - { link: "ride:/help", app: rider.ios/1 }
            - { link: "ride:/shifts", app: driver.ios/4, stack: [shifts] }
            - { link: "ride:/shifts", app: ios/9, problem: { code: other-app, app: driver, link: "ride:///shifts" } }

            """
        try await TemporaryFolder.with { folder in
            let (file, links) = (folder + "/ride.yaml", folder + "/links.yaml")
            try catalog.write(toFile: file, atomically: true, encoding: .utf8)
            try cases.write(toFile: links, atomically: true, encoding: .utf8)
            #expect(try await Waymark.run(["check", links, "--catalog", file]).code == 0)
            let foreign = try await Waymark.run(["resolve", "ride:/shifts", "--app", "rider.ios/9", "--catalog", file])
            #expect(foreign.code == 1)
            #expect(foreign.errors.contains("is in the app driver; it is asked for rider.ios/9."), "\(foreign.errors)")
            #expect(foreign.errors.contains("The link for it is ride:///shifts."), "\(foreign.errors)")
            let plan = try await Waymark.run(["resolve", "ride:/shifts", "--catalog", file])
            #expect(plan.output.contains("app       driver\napp       from driver.ios/4 on"), "\(plan.output)")
            let unknown = try await Waymark.run(["check", links, "--app", "taxi.ios/1", "--catalog", file])
            #expect(unknown.code == 64)
            #expect(unknown.errors.contains("apps are `rider`, `driver`"), "\(unknown.errors)")
            try (cases + "- { link: \"ride:/help\", app: taxi.ios/1 }\n")
                .write(toFile: links, atomically: true, encoding: .utf8)
            let misspelt = try await Waymark.run(["check", links, "--catalog", file])
            #expect(misspelt.code == 65)
            #expect(misspelt.errors.contains("apps are `rider`, `driver`"), "\(misspelt.errors)")
            let tree = try await Waymark.run(["catalog", "show", file])
            #expect(tree.output.contains("root, app driver, from driver.ios/4"), "\(tree.output)")
        }
    }
}
