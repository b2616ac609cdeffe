import ArgumentParser

extension ArgumentHelp {
    /// Creates the flag of a setting, with its help.
    init(_ setting: Setting) {
        self.init("\(setting.help)", valueName: setting.definition.valueName)
    }
}

extension Option where Value == String? {
    /// Creates the option of a setting.
    init(_ setting: Setting) {
        self.init(name: setting.definition.flag.map { .customLong($0) } ?? .long, help: ArgumentHelp(setting))
    }
}
