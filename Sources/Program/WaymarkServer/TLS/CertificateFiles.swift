import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkHTTP
import WaymarkCommands

/// The files of the certificate for TLS and of its key.
struct CertificateFiles {
    let settings: TLSSettings

    /// The versions of the two files.
    var stamps: [FileStamp?] { [FileStamp(path: settings.certificate), FileStamp(path: settings.key)] }

    /// Reads both files, which must be valid together.
    ///
    /// - Throws: ``CommandError`` of code 69 if a file cannot be read, and of code 65 if the certificate is invalid, or
    ///   others can read the key.
    func read(at now: Timestamp) throws(CommandError) -> ServerCertificate {
        let chain = try bytes(of: settings.certificate, .tlsCertificate)
        let key = try bytes(of: settings.key, .tlsKey)
        if let fault = KeyFileRights.fault(ofFileAt: settings.key) { throw CommandError(.badData, message: fault) }
        do throws(ServerCertificateError) {
            return try ServerCertificate(chain: chain, key: key, at: now)
        } catch {
            let (path, setting) =
                error.isOfKey ? (settings.key, Setting.tlsKey) : (settings.certificate, Setting.tlsCertificate)
            throw CommandError(.badData, message: "`\(path)` (\(setting.rawValue)) \(error.message)")
        }
    }

    private func bytes(of path: String, _ setting: Setting) throws(CommandError) -> [UInt8] {
        do throws(CatalogFileError) {
            return try CatalogLoader.bytes(of: path)
        } catch {
            throw CommandError(
                .unavailable,
                message: "cannot read `\(path)`, which is set by \(setting.waysToSet()): \(error.reason)"
            )
        }
    }
}
