import Foundation
import Testing
import WaymarkTestSupport

/// Checks that the guides show the code of the example apps, which compiles.
@Suite struct ExamplePagesTests {
    @Test(arguments: [("swiftui", "SwiftUI"), ("compose", "Compose")])
    func `a guide shows every file of its example as it is`(_ page: String, _ folder: String) throws {
        let text = String(decoding: try Checkout.bytes("docs/guides/apps/\(page).md"), as: UTF8.self)
        let files = try FileManager.default.contentsOfDirectory(atPath: Checkout.path("Examples/\(folder)"))
        #expect(files.count == 4)
        for file in files {
            let code = String(decoding: try Checkout.bytes("Examples/\(folder)/\(file)"), as: UTF8.self)
            #expect(text.contains(" \(file)\n\(code)```\n"), "\(file)")
        }
        #expect(text.components(separatedBy: "```").count == 2 * files.count + 3)
    }
}
