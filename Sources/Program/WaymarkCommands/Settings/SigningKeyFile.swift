import DeepLinkAuthentication

/// The file of the link-signing keys.
struct SigningKeyFile {
    let path: String

    /// Reads the keys.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be read; of code 65 if it holds no keys, or is readable
    ///   by others.
    func keys() throws(CommandError) -> [LinkSigningKey] {
        let bytes: [UInt8]
        do throws(CommandError) {
            bytes = try InputFile.read(path)
        } catch {
            throw CommandError(
                .unavailable,
                message:
                    "\(error.message ?? "") It should hold the keys that sign links; it is set by \(Setting.signingKeys.waysToSet())."
            )
        }
        if let fault = KeyFileRights.fault(ofFileAt: path) { throw CommandError(.badData, message: fault) }
        do throws(LinkSigningKeyError) {
            return try LinkSigningKey.keys(in: bytes)
        } catch {
            throw CommandError(.badData, message: "\(path) holds no keys that sign links: \(error.message).")
        }
    }
}
