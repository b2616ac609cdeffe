import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import Foundation

/// Prints one line of output for people, without control characters.
///
/// In this module it replaces the standard library's function, so that no command prints raw text by mistake.
func print(_ line: String) { Swift.print(TerminalText.line(line)) }

/// Prints lines of output for people, each as ``print(_:)`` does.
func print(lines: [String]) {
    for line in lines { print(line) }
}

/// Prints several lines of output, without control characters.
func print(document text: String, terminator: String = "\n") {
    Swift.print(TerminalText.document(text), terminator: terminator)
}

/// The stream of messages for people, apart from a command's answer.
package enum StandardError {
    /// Writes a message of one or more lines, in which no control character reaches the terminal; a failure to write
    /// cannot be reported.
    package static func print(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data((TerminalText.document(message) + "\n").utf8))
    }
}

/// The output of bodies as JSON, identical to the server's.
enum JSONOutput {
    /// Prints one body as one line.
    static func print(_ body: some WireBody) {
        Swift.print(TerminalText.json(String(decoding: body.json, as: UTF8.self)))
    }
}

/// The creation of a file with a secret, which replaces no other and is readable only by its owner: where root makes it, the
/// owner of its folder.
package enum NewFile {
    /// The reason why a file was not written.
    package struct Failure: Error {
        /// The system's error message.
        package let reason: String

        /// Whether the path already exists.
        package let isTaken: Bool

        /// Creates a reason.
        package init(reason: String, isTaken: Bool) {
            self.reason = reason
            self.isTaken = isTaken
        }
    }

    /// Creates a file and writes it to disk.
    ///
    /// It is created with its final mode, so that it is never readable by others.
    ///
    /// - Throws: ``Failure``; then no file made by this call remains.
    package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno)), isTaken: errno == EEXIST) }
        FileOwner.inherit(descriptor, at: path)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(bytes))
            try file.synchronize()
        } catch {
            unlink(path)
            throw Failure(reason: "\(error)", isTaken: false)
        }
    }
}

/// The format of output: for people or for programs.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case json

    /// Prints an answer in this format.
    func print(_ body: some WireBody, lines: @autoclosure () -> [String]) {
        switch self {
        case .json: JSONOutput.print(body)
        case .text: WaymarkCommands.print(lines: lines())
        }
    }
}

extension ArgumentHelp {
    /// The help of an option for text or JSON.
    static var format: ArgumentHelp { "The output format: text or json." }
}
