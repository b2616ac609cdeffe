import Foundation
import Testing
import WaymarkTestSupport

/// The framing of answers, as a client of another make reads them.
@Suite struct KeptConnectionTests {
    @Test func `every kind of answer ends by itself on a kept connection`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                catalog: Checkout.path("Config/examples/link-domain.yaml")
            )
            let (code, text) = try await RawConnection.offPool {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = ["python3", Checkout.path("Tests/Processes/kept_connection.py"), "\(server.port)"]
                let output = Pipe()
                process.standardOutput = output
                process.standardError = output
                try process.run()
                let data = try output.fileHandleForReading.readToEnd() ?? Data()
                process.waitUntilExit()
                return (process.terminationStatus, String(decoding: data, as: UTF8.self))
            }
            try await server.kill()
            #expect(code == 0, "\(text)")
        }
    }
}
