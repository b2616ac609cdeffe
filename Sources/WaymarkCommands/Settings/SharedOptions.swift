import ArgumentParser

/// Names the options that every command understands in the same way.
struct SharedOptions: ParsableArguments {
    @Option(help: "The route catalog. Environment: WAYMARK_CATALOG. Default: Config/routes.yaml.")
    var catalog: String?

    @Option(help: "The SQLite file of user states. Environment: WAYMARK_DATABASE. Default: var/waymark.sqlite.")
    var database: String?

    @Option(help: "The settings file. Environment: WAYMARK_CONFIG. Default: Config/service.yaml, if it exists.")
    var config: String?

    /// The settings given on the command line.
    var overrides: [SettingKey: String] {
        var overrides: [SettingKey: String] = [:]
        overrides[.catalog] = catalog
        overrides[.database] = database
        return overrides
    }

    /// Reads the settings with these and further flags on top.
    func settings(overriding further: [SettingKey: String] = [:]) async throws -> Settings {
        try await Settings(
            flags: overrides.merging(further) { _, flag in flag },
            configFile: config
        )
    }
}
