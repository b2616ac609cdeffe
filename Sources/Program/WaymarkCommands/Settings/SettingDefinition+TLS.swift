/// The rows of the settings of TLS.
extension SettingDefinition {
    static var tlsCertificate: SettingDefinition {
        SettingDefinition(
            flag: "tls-certificate",
            values: .optionalText,
            valueName: "file",
            default: "",
            summary: """
                The file of the certificate for TLS, with those of its issuers after it, in PEM; none: plain text, as \
                behind a proxy. A changed file counts within three seconds.
                """
        )
    }

    static var tlsKey: SettingDefinition {
        SettingDefinition(
            flag: "tls-key",
            values: .optionalText,
            valueName: "file",
            default: "",
            summary: "The file of the certificate's private key, in PEM."
        )
    }

    static var redirectPort: SettingDefinition {
        SettingDefinition(
            flag: "redirect-port",
            values: .optionalNumber(0...65_535, "a port"),
            default: "",
            summary: "The TCP port that redirects plain HTTP to https, if there is a certificate."
        )
    }
}
