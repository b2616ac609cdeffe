/// The settings of TLS.
package struct TLSSettings {
    /// The file of the certificate, with those of its issuers.
    package let certificate: String

    /// The file of the private key.
    package let key: String

    /// The port that redirects plain HTTP; `nil` for none.
    package let redirectPort: Int?

    /// Reads the settings of TLS, or returns `nil` for plain text.
    ///
    /// - Throws: ``CommandError`` if one is set without the others that it needs, or the two ports are the same.
    static func read(_ reader: SettingReader) throws(CommandError) -> TLSSettings? {
        let (certificate, key) = (try reader.text(.tlsCertificate), try reader.text(.tlsKey))
        let redirectPort = Int(try reader.text(.redirectPort))
        guard certificate.isEmpty == key.isEmpty else {
            let (given, missing) = key.isEmpty ? (Setting.tlsCertificate, Setting.tlsKey) : (.tlsKey, .tlsCertificate)
            throw CommandError(
                .usage,
                message:
                    "\(given.rawValue) is set without \(missing.rawValue), and TLS needs both; set it by \(reader.waysToSet(missing))."
            )
        }
        guard !certificate.isEmpty else {
            guard redirectPort == nil else {
                throw CommandError(
                    .usage,
                    message:
                        "\(Setting.redirectPort.rawValue) is set, and without a certificate there is no https to redirect to; set one by "
                        + "\(reader.waysToSet(.tlsCertificate)), or let the proxy redirect."
                )
            }
            return nil
        }
        let port = try reader.number(.port)
        guard redirectPort == nil || redirectPort == 0 || redirectPort != port else {
            throw CommandError(
                .usage,
                message:
                    "\(Setting.redirectPort.rawValue) and \(Setting.port.rawValue) are both \(port); TLS and plain HTTP "
                    + "need a port each. Choose another by \(reader.waysToSet(.redirectPort))."
            )
        }
        return TLSSettings(certificate: certificate, key: key, redirectPort: redirectPort)
    }
}
