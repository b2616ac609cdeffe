/// The rows of the settings of the route catalog.
extension SettingDefinition {
    static var catalog: SettingDefinition {
        SettingDefinition(
            flag: "catalog",
            values: .text,
            valueName: "file",
            default: "Config/routes.yaml",
            summary: "The route catalog."
        )
    }

    static var strictCatalog: SettingDefinition {
        SettingDefinition(
            flag: "strict-catalog",
            values: .truth,
            default: "false",
            summary: """
                Do not start where the catalog has faults. Otherwise the server starts with the last one that was in force, \
                which it keeps beside a database file, and reports the faults.
                """
        )
    }

    static var bundle: SettingDefinition {
        SettingDefinition(
            flag: "bundle",
            values: .optionalText,
            valueName: "file",
            default: "",
            summary: """
                The signed catalog for apps, as `waymark catalog bundle` writes it; its signature is beside it.
                """
        )
    }
}
