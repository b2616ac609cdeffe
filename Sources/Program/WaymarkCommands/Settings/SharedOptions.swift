import ArgumentParser

/// The options that every command has in common.
package struct SharedOptions: ParsableArguments {
    @Option(.catalog) var catalog: String?
    @Option(.database) var database: String?

    @Option(
        help: ArgumentHelp(
            "The settings file. Environment: WAYMARK_CONFIG. Default: \(Settings.defaultFiles.joined(separator: ", else ")), if it exists.",
            valueName: "file"
        )
    )
    var config: String?

    /// Reads the settings with these and further flags, and warns of environment variables that have no effect or
    /// override the settings file.
    package func settings(
        overriding further: [Setting: String] = [:],
        warn: (String) -> Void = { StandardError.print("waymark: warning: \($0)") }
    ) throws -> Settings {
        let settings = try Settings(flags: overrides.merging(further) { _, flag in flag }, configFile: config)
        for name in settings.unknownVariables {
            warn("The environment variable `\(name)` isn't a setting, and has no effect.")
        }
        for setting in settings.overriddenKeys {
            warn(
                "The environment variable `\(setting.variable)` overrides `\(setting.rawValue)` of \(settings.file ?? "the settings file"); what runs without "
                    + "the variable goes by the file."
            )
        }
        // Command lines of processes are visible to all users.
        if database != nil, settings.database.hasPassword {
            warn(
                "Every user of this machine can read the password on the command line. Let libpq find it in PGPASSFILE or "
                    + "~/.pgpass, or set WAYMARK_DATABASE."
            )
        }
        return settings
    }
}
