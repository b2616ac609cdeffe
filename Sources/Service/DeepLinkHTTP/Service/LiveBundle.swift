import NIOCore
import Synchronization

/// The current signed catalog for apps to embed.
///
/// It is replaced as a whole while requests are answered.
package final class LiveBundle: Sendable {
    /// A bundle with its signature.
    ///
    /// Only its signer can make one.
    package struct Document: Sendable {
        /// The signed bytes.
        let body: SharedDocument

        /// The signature, as JSON in one line.
        let signature: String

        /// Creates a document from the contents of the files.
        package init(body: [UInt8], signature: String) {
            self.body = SharedDocument(ByteBuffer(bytes: body))
            self.signature = signature
        }
    }

    private let state = Mutex<Document?>(nil)

    /// Creates an empty holder.
    package init() {}

    /// The current bundle, or `nil` for none.
    var current: Document? { state.withLock { $0 } }

    /// Replaces the bundle with another one, or removes it.
    package func replace(with document: Document?) {
        state.withLock { $0 = document }
    }
}
