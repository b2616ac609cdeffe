import ArgumentParser

/// The options for the server's listening address.
struct ListeningOptions: ParsableArguments {
    @Option(.host) var host: String?
    @Option(.port) var port: String?

    /// The settings given on the command line.
    var overrides: [Setting: String] { [.host: host, .port: port].compactMapValues(\.self) }
}
