import ArgumentParser

/// Names the options that say where the server listens.
struct ListeningOptions: ParsableArguments {
    @Option(help: "The address to listen on. Environment: WAYMARK_HTTP_HOST. Default: 127.0.0.1.")
    var host: String?

    @Option(help: "The TCP port; 0 takes any free one. Environment: WAYMARK_HTTP_PORT. Default: 8080.")
    var port: String?

    /// The settings given on the command line.
    var overrides: [SettingKey: String] {
        var overrides: [SettingKey: String] = [:]
        overrides[.host] = host
        overrides[.port] = port
        return overrides
    }
}
