package import DeepLinkAuthentication
import Foundation

extension Settings {
    /// The source of the link-signing keys.
    package enum SigningKeySource {
        /// A file, which is followed while a server runs.
        case file(SigningKeyFile)

        /// The settings themselves.
        case settings([LinkSigningKey])
    }

    /// Reads the keys of continuations, the signing key first.
    ///
    /// The result is empty for keys in a file beside the database.
    ///
    /// - Throws: ``CommandError`` for an invalid key, which the message doesn't repeat.
    static func continuationKeys(_ reader: SettingReader) throws(CommandError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        for text in SettingList.items(try reader.text(.continuationKey)) {
            guard let key = Data(base64Encoded: text), key.count >= HMACKey.minimumByteCount else {
                throw CommandError.usage(
                    "the continuation key is not \(HMACKey.minimumByteCount) bytes or more in base64; make one "
                        + "with `openssl rand -base64 32` and set it by \(reader.waysToSet(.continuationKey))."
                )
            }
            keys.append(Array(key))
        }
        return keys
    }

    /// Reads the source of the link-signing keys, or returns `nil` if none is set.
    ///
    /// - Throws: ``CommandError`` for two sources, and for invalid keys. The message repeats no secret.
    static func signingKeySource(_ reader: SettingReader) throws(CommandError) -> SigningKeySource? {
        let (path, text) = (try reader.text(.signingKeys), try reader.text(.signingSecrets))
        guard path.isEmpty || text.isEmpty else {
            throw CommandError.usage(
                "\(Setting.signingKeys.rawValue) and \(Setting.signingSecrets.rawValue) are both set; the keys that sign links "
                    + "come from one of them."
            )
        }
        guard !text.isEmpty else {
            guard !path.isEmpty else { return nil }
            return .file(SigningKeyFile(path: path, ways: reader.waysToSet(.signingKeys)))
        }
        let pairs: SettingPairs
        do throws(SettingPairs.NoPair) {
            pairs = try SettingPairs(text, dividedAt: .first)
        } catch {
            // A text that isn't a pair may itself be a secret.
            throw CommandError.usage(
                "\(Setting.signingSecrets.rawValue) has a part without `=`; write `2026-12=SECRET,2026-11=SECRET`, or a mapping "
                    + "in \(reader.nameOfFile)."
            )
        }
        do throws(LinkSigningKeyError) {
            return .settings(try LinkSigningKey.keys(pairs.all.map { (id: $0.name, secret: $0.value) }))
        } catch {
            throw CommandError.usage(
                "the keys that sign links cannot be used: \(error.message). Set them by \(reader.waysToSet(.signingSecrets))."
            )
        }
    }
}

/// The file of the link-signing keys.
package struct SigningKeyFile {
    package let path: String

    /// The ways to name another file, for messages.
    let ways: String

    /// Reads the keys.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be read; of code 65 if it holds no keys, or is readable
    ///   by others.
    package func keys() throws(CommandError) -> [LinkSigningKey] {
        let bytes: [UInt8]
        do throws(CommandError) {
            bytes = try InputFile.read(path)
        } catch {
            throw CommandError.unavailable(
                "\(error.message ?? "") It should hold the keys that sign links; it is set by \(ways)."
            )
        }
        if let fault = KeyFileRights.fault(ofFileAt: path) { throw CommandError.badData(fault) }
        do throws(LinkSigningKeyError) {
            return try LinkSigningKey.keys(in: bytes)
        } catch {
            throw CommandError.badData("\(path) holds no keys that sign links: \(error.message).")
        }
    }
}
