import Foundation
import Testing
import WaymarkTestSupport

/// Pastes the README's first session into a shell and compares what is printed.
@Suite struct ReadmeTests {
    private struct Step {
        let command: String
        var output = ""
    }

    /// The commands of all `console` blocks, with the output shown below each.
    private func steps() throws -> [Step] {
        let text = String(decoding: try Checkout.bytes("README.md"), as: UTF8.self)
        var steps: [Step] = []
        for block in text.components(separatedBy: "```console\n").dropFirst() {
            for line in block.components(separatedBy: "```")[0].split(separator: "\n") {
                if line.hasPrefix("$ ") {
                    steps.append(Step(command: String(line.dropFirst(2))))
                } else if let last = steps.indices.last {
                    steps[last].output += line + "\n"
                }
            }
        }
        return steps
    }

    @Test func `the README shows what the server prints`() async throws {
        let steps = try steps().filter { $0.command.hasPrefix("curl") }
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
                #expect(undated(output) == undated(step.output.trimmingCharacters(in: .newlines)), "\(step.command)")
            }
        }
    }

    @Test func `the README shows what the commands print`() async throws {
        let steps = try steps()
        var count = 0
        try await TemporaryFolder.with { folder in
            for step in steps {
                if step.command.hasPrefix("cat ") {
                    let file = folder + "/" + step.command.dropFirst(4)
                    try step.output.write(toFile: file, atomically: true, encoding: .utf8)
                } else if step.command.hasPrefix("waymark ") {
                    let catalog = ["--catalog", Checkout.path("Config/routes.yaml")]
                    let words = step.command.split(separator: " ").dropFirst()
                        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'")) }
                    let arguments = words.contains("catalog") ? words : words + catalog
                    // The catalog that shows what an issue looks like is not shown itself.
                    guard !words.contains("broken.yaml") else { continue }
                    let outcome = try await Waymark.run(arguments, in: folder)
                    #expect(outcome.output + outcome.errors == step.output, "\(step.command)")
                    count += 1
                }
            }
        }
        #expect(count >= 3)
    }

    private func undated(_ text: String) -> String {
        text.replacing(/"updatedAt":"[^"]+"/, with: "\"updatedAt\":\"…\"")
            .replacing(/"continuation":"[^"]+"/, with: "\"continuation\":\"…\"")
    }
}
