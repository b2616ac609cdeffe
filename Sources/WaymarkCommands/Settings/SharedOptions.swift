import ArgumentParser

/// Names the options that every command understands in the same way.
struct SharedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The route catalog. Environment: WAYMARK_CATALOG. Default: Config/routes.yaml.",
            valueName: "file"
        )
    )
    var catalog: String?

    @Option(
        help: ArgumentHelp(
            "The SQLite file of user states and tokens. Environment: WAYMARK_DATABASE. Default: var/waymark.sqlite.",
            valueName: "file"
        )
    )
    var database: String?

    @Option(
        help: ArgumentHelp(
            "The settings file. Environment: WAYMARK_CONFIG. Default: Config/service.yaml, if it exists.",
            valueName: "file"
        )
    )
    var config: String?

    /// The settings given on the command line.
    var overrides: [SettingKey: String] {
        var overrides: [SettingKey: String] = [:]
        overrides[.catalog] = catalog
        overrides[.database] = database
        return overrides
    }

    /// Reads the settings with these and further flags on top, and warns of environment variables without effect.
    func settings(
        overriding further: [SettingKey: String] = [:],
        warn: (String) -> Void = { StandardError.print("waymark: warning: \($0)") }
    ) throws -> Settings {
        let settings = try Settings(flags: overrides.merging(further) { _, flag in flag }, configFile: config)
        for name in settings.unknownVariables {
            warn("The environment variable `\(name)` is no setting, and has no effect.")
        }
        return settings
    }
}
