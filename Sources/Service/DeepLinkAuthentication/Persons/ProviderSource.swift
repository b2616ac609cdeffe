import DeepLinkCore
import NIOSSL
import Synchronization

/// The source of an identity provider's keys, at the URL in its document.
///
/// The document is read again with the keys.
final class ProviderSource: KeySetSource {
    /// The part of the document's URL after the issuer (OpenID Connect Discovery §4).
    private static let path = "/.well-known/openid-configuration"

    private let issuer: String
    private let url: KeySetURL
    private let timeout: Duration
    private let trustRoots: NIOSSLTrustRoots
    private let known = Mutex<ProviderDocument?>(nil)

    /// Creates the source for an issuer.
    ///
    /// - Throws: ``KeySetURLError`` if the issuer isn't an https URL without a query.
    init(
        issuer: String,
        timeout: Duration = .seconds(5),
        trustRoots: NIOSSLTrustRoots = .default
    ) throws(KeySetURLError) {
        guard !issuer.utf8.contains(UInt8(ascii: "?")) else { throw .surplus }
        let isSlashed = issuer.utf8.last == UInt8(ascii: "/")
        url = try KeySetURL(String(Substring(isSlashed ? issuer.utf8.dropLast() : issuer.utf8[...])) + Self.path)
        self.issuer = issuer
        self.timeout = timeout
        self.trustRoots = trustRoots
    }

    var name: String { url.name }

    var origin: KeySet.Origin { .url }

    var exposure: String? { nil }

    /// The document that was read last, or `nil` if none was.
    var document: ProviderDocument? { known.withLock(\.self) }

    func document() async throws(KeySetError) -> [UInt8] {
        let document = try ProviderDocument(try await fetched(url), issuer: issuer)
        known.withLock { $0 = document }
        return try await fetched(document.keys)
    }

    private func fetched(_ url: KeySetURL) async throws(KeySetError) -> [UInt8] {
        try await KeySetDownload(url: url, timeout: timeout, trustRoots: trustRoots).document()
    }
}
