/// The row of the setting of the audit log.
extension SettingDefinition {
    static let auditPath = SettingDefinition(
        flag: "audit-path",
        values: .text,
        valueName: "file",
        default: "stderr",
        summary: """
            The file to which the service and commands add a JSON line for each change of a user, a token, a short link or the \
            catalog; stderr: between the messages of the log, by the service alone; none: no audit log.
            """
    )
}
