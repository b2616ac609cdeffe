import Crypto
import NIOCore
import Synchronization

/// The signed catalog that apps embed, as it is served; it is replaced whole while requests are answered.
package final class LiveBundle: Sendable {
    /// A bundle with its signature, which only its signer can make.
    package struct Document: Sendable {
        /// The bytes that are signed, shared by all answers.
        let body: ByteBuffer

        /// The signature, as JSON in one line.
        let signature: String

        /// The first 12 hexadecimal digits of the body's SHA-256, as an entity tag.
        let tag: String

        /// Creates a document from the contents of the files.
        package init(body: [UInt8], signature: String) {
            self.body = ByteBuffer(bytes: body)
            self.signature = signature
            let digits = SHA256.hash(data: body).prefix(6)
                .map { byte in String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16) }
            tag = "\"\(digits.joined())\""
        }
    }

    private let state = Mutex<Document?>(nil)

    /// Begins without one.
    package init() {}

    /// The bundle that is served; `nil` if there is none.
    var current: Document? { state.withLock { $0 } }

    /// Serves another one, or none.
    package func replace(with document: Document?) {
        state.withLock { $0 = document }
    }
}
