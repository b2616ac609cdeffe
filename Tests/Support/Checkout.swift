package import Foundation

/// The files of this checkout, from the place of this source file.
package enum Checkout {
    /// The top of the checkout.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The path of a file, given from the top.
    package static func path(_ relative: String) -> String { root.appending(path: relative).path }

    /// The bytes of a file, given from the top.
    package static func bytes(_ relative: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appending(path: relative)))
    }

    /// The files of a folder with an extension, in the order of their names.
    package static func files(in relative: String, withExtension ending: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: root.appending(path: relative), includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == ending }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
