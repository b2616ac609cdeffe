import Foundation
import Testing
import WaymarkTestSupport

/// The sessions of one page, as one: what its `console` blocks show, in order, in a folder and on a server of its own.
///
/// The folder begins like a checkout, with `Config/routes.yaml` and `Config/examples`. A block whose fence names a file becomes that file, and so
/// does what `cat` shows of a file that is not there. A server runs from the first command that asks it, or from
/// `waymark serve … &` on; it has a free port in place of 8080.
///
/// Long lines may be wrapped. A command continues on the next line after a backslash. JSON continues on lines that begin with
/// a space: the lines are joined without these spaces, and the result is compared byte by byte.
struct DocumentationSession {
    private enum Step {
        case file(name: String, text: String)
        case command(String, output: String)
    }

    private let page: Page
    private let folder: String
    private var server: ServerProcess?

    private init(_ page: Page, in folder: String) {
        self.page = page
        self.folder = folder
    }

    /// Whether a page has anything to run.
    static func isIn(_ page: Page) -> Bool { page.blocks.contains { $0.language == "console" } }

    /// Runs the session of a page, and expects of each command what is shown below it.
    static func run(_ page: Page) async throws {
        try await TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder + "/Config", withIntermediateDirectories: true)
            for name in ["Config/routes.yaml", "Config/examples"] {
                try FileManager.default.copyItem(atPath: Checkout.path(name), toPath: folder + "/" + name)
            }
            var session = DocumentationSession(page, in: folder)
            do {
                for step in session.steps { try await session.perform(step) }
            } catch {
                try await session.server?.kill()
                throw error
            }
            session.server?.terminate()
            #expect(try await session.server?.exitCode() ?? 0 == 0)
        }
    }

    /// The steps of the page, in order.
    private var steps: [Step] {
        var steps: [Step] = []
        for block in page.blocks {
            if let file = block.file {
                steps.append(.file(name: file, text: block.text))
            } else if block.language == "console" {
                var isInJSON = false
                for line in block.text.components(separatedBy: "\n").dropLast() {
                    if line.hasPrefix("$ ") {
                        isInJSON = false
                        steps.append(.command(String(line.dropFirst(2)), output: ""))
                    } else if case .command(let command, let output)? = steps.popLast() {
                        if output.isEmpty, command.hasSuffix("\\") {
                            steps.append(.command(command + "\n" + line, output: ""))
                        } else if isInJSON, line.hasPrefix(" ") {
                            let joined = String(output.dropLast()) + String(line.drop { $0 == " " }) + "\n"
                            steps.append(.command(command, output: joined))
                        } else {
                            isInJSON = line.hasPrefix("{") || line.hasPrefix("[")
                            steps.append(.command(command, output: output + line + "\n"))
                        }
                    }
                }
            }
        }
        return steps
    }

    private mutating func perform(_ step: Step) async throws {
        switch step {
        case .file(let name, let text): try write(name, text)
        case .command(let command, let output):
            let words = command.split(separator: " ").map(String.init)
            if words[0] == "cat", words.count == 2, !FileManager.default.fileExists(atPath: folder + "/" + words[1]) {
                return try write(words[1], output)
            }
            if words.starts(with: ["waymark", "serve"]), words.last == "&" {
                #expect(server == nil, "\(page.path) starts one server")
                server = try await start(Array(words.dropFirst(2).dropLast()))
            } else {
                if server == nil, command.contains("127.0.0.1:8080") { server = try await start([]) }
                try await expect(output, of: command)
            }
        }
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }

    /// Starts a server with options, whose files lie in the folder.
    private func start(_ options: [String]) async throws -> ServerProcess {
        func file(_ option: String, _ otherwise: String) -> String {
            folder + "/" + (options.firstIndex(of: option).map { options[$0 + 1] } ?? otherwise)
        }
        return try await ServerProcess.start(
            database: file("--database", "var/waymark.sqlite"),
            catalog: file("--catalog", "Config/routes.yaml")
        )
    }

    private func expect(_ output: String, of command: String) async throws {
        let text = server.map { command.replacing("127.0.0.1:8080", with: "127.0.0.1:\($0.port)") } ?? command
        var printed = ""
        // The server follows files and tokens within seconds, and tests share the machine: what changes nothing is tried
        // again.
        let isRepeatable = command.hasPrefix("curl") && !command.contains(" -d ") && !command.contains(" -X ")
        for _ in 0..<(isRepeatable ? 300 : 1) {
            printed = try await run(text)
            if let server { printed = printed.replacing("127.0.0.1:\(server.port)", with: "127.0.0.1:8080") }
            if Self.comparable(printed) == Self.comparable(output) { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(Self.comparable(printed) == Self.comparable(output), "\(page.path): \(command)")
    }

    /// Runs a command in a shell, and returns what it prints, errors included.
    ///
    /// Runs a command; the variables that it assigns stay for the next one.
    private func run(_ command: String) async throws -> String {
        let folder = folder
        return try await RawConnection.offPool {
            let binaries = URL(fileURLWithPath: Waymark.path).deletingLastPathComponent().path
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let process = Waymark.process([], ["PATH": "\(binaries):\(path)"])
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments = ["-c", "set -a; touch .session; . ./.session; \(command)\nexport -p >.session"]
            process.currentDirectoryURL = URL(fileURLWithPath: folder)
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
    }

    /// A text without what differs each time: moments, whose length may differ, signed tokens, ids of tokens, the system's user,
    /// and the folder of the database.
    private static func comparable(_ text: String) -> String {
        text.replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "(time)")
            .replacing(/\x20{2,}/, with: "  ")
            .replacing(/command line [^\s]+( \([^\s]+\))?/, with: "command line (user)")
            .replacing(/database \/[^\s;]*\/([^\s\/]+)/) { "database \($0.1)" }
            .replacing(/"continuation":"[^"]+"/, with: "\"continuation\":\"…\"")
            .replacing(/(^|token |token revoke |"by":"token )[0-9a-z]{12}/.anchorsMatchLineEndings()) { "\($0.1)(id)" }
            .trimmingCharacters(in: .newlines)
    }
}
