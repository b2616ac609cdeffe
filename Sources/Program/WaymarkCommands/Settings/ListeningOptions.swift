import ArgumentParser

/// The options for the server's listening address, and for the certificate that it shows there.
struct ListeningOptions: ParsableArguments {
    @Option(.host) var host: String?
    @Option(.port) var port: String?
    @Option(.tlsCertificate) var tlsCertificate: String?
    @Option(.tlsKey) var tlsKey: String?

    /// The settings given on the command line.
    var overrides: [Setting: String] {
        let overrides: [Setting: String?] = [
            .host: host, .port: port, .tlsCertificate: tlsCertificate, .tlsKey: tlsKey,
        ]
        return overrides.compactMapValues(\.self)
    }
}
