import Foundation

/// A certificate authority of a test, made by `openssl` in a folder: a root, and an issuer that the root vouches for.
package struct TestAuthority: Sendable {
    /// A certificate of a server with its key, as paths of files.
    package struct Pair: Sendable {
        /// The file of the certificate, followed by that of its issuer.
        package let chain: String

        /// The file of the certificate alone.
        package let certificate: String

        /// The file of the key.
        package let key: String
    }

    /// A command that failed.
    private struct Failure: Error {
        let command: [String]
        let output: String
    }

    private let folder: String

    /// The file of the root's certificate, which clients trust.
    package var root: String { folder + "/root.pem" }

    /// The file of the issuer's certificate.
    package var issuer: String { folder + "/issuer.pem" }

    /// Makes an authority in a folder.
    package init(in folder: String) async throws {
        self.folder = folder
        try Data("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n".utf8)
            .write(to: URL(fileURLWithPath: folder + "/issuer.ext"))
        try Data("subjectAltName=DNS:localhost,DNS:links.example.com,IP:127.0.0.1\n".utf8)
            .write(to: URL(fileURLWithPath: folder + "/leaf.ext"))
        try await Self.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "60", "-subj",
            "/CN=Test Root", "-keyout", folder + "/root.key", "-out", root,
        ])
        try await request("issuer", subject: "/CN=Test Issuer")
        try await sign("issuer", by: "root", extensions: "issuer.ext", days: 60)
    }

    /// Issues a certificate for `localhost` and `links.example.com`.
    ///
    /// - Parameters:
    ///   - name: the beginning of the names of its files.
    ///   - days: the days until it ends.
    /// - Returns: the files.
    /// - Throws: the failure of a command.
    package func issue(_ name: String, days: Int = 30) async throws -> Pair {
        try await request(name, subject: "/CN=links.example.com")
        try await sign(name, by: "issuer", extensions: "leaf.ext", days: days)
        let pair = Pair(
            chain: "\(folder)/\(name)-chain.pem",
            certificate: "\(folder)/\(name).pem",
            key: "\(folder)/\(name).key"
        )
        try Self.join([pair.certificate, issuer], to: pair.chain)
        return pair
    }

    /// Writes files one after the other into another.
    package static func join(_ files: [String], to path: String) throws {
        var bytes = Data()
        for file in files { bytes += try Data(contentsOf: URL(fileURLWithPath: file)) }
        try bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Runs `openssl`, and returns what it prints.
    @discardableResult package static func openssl(_ arguments: [String], input: String = "") async throws -> String {
        let outcome = try await TestProgram.run(["openssl"] + arguments, input: input)
        guard outcome.code == 0 else { throw Failure(command: arguments, output: outcome.output) }
        return outcome.output
    }

    private func request(_ name: String, subject: String) async throws {
        try await Self.openssl([
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", subject,
            "-keyout",
            "\(folder)/\(name).key", "-out", "\(folder)/\(name).csr",
        ])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name).key")
    }

    private func sign(_ name: String, by issuer: String, extensions: String, days: Int) async throws {
        try await Self.openssl([
            "x509", "-req", "-in", "\(folder)/\(name).csr", "-CA", "\(folder)/\(issuer).pem", "-CAkey",
            "\(folder)/\(issuer).key", "-CAcreateserial", "-days", "\(days)", "-extfile", "\(folder)/\(extensions)",
            "-out", "\(folder)/\(name).pem",
        ])
    }
}

/// A program of the system that a test runs.
package enum TestProgram {
    /// The exit code of a program, and everything that it printed.
    package struct Outcome: Sendable {
        package let code: Int32
        package let output: String
    }

    /// Runs a program to its end, found by its name.
    package static func run(_ command: [String], input: String = "") async throws -> Outcome {
        try await RawConnection.offPool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            let (standardInput, output) = (Pipe(), Pipe())
            process.standardInput = standardInput
            process.standardOutput = output
            process.standardError = output
            try process.run()
            // A program that has ended takes no input.
            try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? standardInput.fileHandleForWriting.close()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Outcome(code: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
        }
    }
}
