import Foundation
import WaymarkTestSupport

/// The real binary, as built beside the tests.
enum Waymark {
    /// The exit code and output of a finished command.
    struct Outcome: Sendable {
        let code: Int32
        let output: String
        let errors: String
    }

    /// The binary's path.
    static let path: String = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appending(path: "waymark").path
    }()

    /// The wrapper of a command that is to be refused: a server that starts in spite of it would go on for ever.
    static let bounded = ["/usr/bin/timeout", "600"]

    /// Runs a command to its end, in the checkout or another folder, with an environment that holds no setting.
    ///
    /// Without an input, standard input is empty. A wrapper is a command that runs the binary in its place.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: String? = nil,
        input: String = "",
        through wrapper: [String] = []
    ) async throws -> Outcome {
        try await RawConnection.offPool {
            let process = process(arguments, environment, through: wrapper)
            if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
            let standardInput = Pipe()
            process.standardInput = standardInput
            let (output, errors) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try standardInput.fileHandleForWriting.close()
            // Both are short enough not to fill a pipe.
            let outputData = try output.fileHandleForReading.readToEnd() ?? Data()
            let errorData = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Outcome(
                code: process.terminationStatus,
                output: String(decoding: outputData, as: UTF8.self),
                errors: String(decoding: errorData, as: UTF8.self)
            )
        }
    }

    /// Prepares the binary to run, by itself or through a command that runs it.
    static func process(
        _ arguments: [String],
        _ environment: [String: String] = [:],
        through wrapper: [String] = []
    ) -> Process {
        let process = Process()
        let command = wrapper + [path] + arguments
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = Checkout.root
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("WAYMARK_") }
        process.environment = inherited.merging(environment) { _, new in new }
        return process
    }
}
