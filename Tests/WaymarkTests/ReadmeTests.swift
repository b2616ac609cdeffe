import Foundation
import Testing
import WaymarkTestSupport

/// Pastes the README's first session into a shell and compares what is printed.
@Suite struct ReadmeTests {
    private struct Step {
        let command: String
        var output = ""
    }

    /// The commands of the first `console` block that begins with `curl`, with the output shown below each.
    private func steps() throws -> [Step] {
        let text = String(decoding: try Checkout.bytes("README.md"), as: UTF8.self)
        let block = text.components(separatedBy: "```console\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .first { $0.hasPrefix("$ curl") }
        var steps: [Step] = []
        for line in try #require(block).split(separator: "\n") {
            if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else if let last = steps.indices.last {
                steps[last].output += line
            }
        }
        return steps
    }

    @Test func `the README shows what the server prints`() async throws {
        let steps = try steps()
        #expect(steps.count >= 5)
        try await ServerProcess.with { server in
            for step in steps {
                let command = step.command.replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.port)")
                let output = try await RawConnection.offPool {
                    let process = Process()
                    process.executableURL = URL(fileURLWithPath: "/bin/bash")
                    process.arguments = ["-c", command]
                    let pipe = Pipe()
                    process.standardOutput = pipe
                    try process.run()
                    return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
                }
                #expect(undated(output) == undated(step.output), "\(step.command)")
            }
        }
    }

    private func undated(_ text: String) -> String {
        text.replacing(/"updatedAt":"[^"]+"/, with: "\"updatedAt\":\"…\"")
    }
}
