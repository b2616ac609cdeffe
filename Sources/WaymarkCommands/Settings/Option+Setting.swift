import ArgumentParser

extension ArgumentHelp {
    /// Creates the help of the flag of a setting.
    init(_ setting: Setting) {
        self.init("\(setting.help)", valueName: setting.definition.valueName)
    }
}

extension Option where Value == String? {
    /// Creates the option that sets a setting.
    init(_ setting: Setting) {
        self.init(name: setting.definition.flag.map { .customLong($0) } ?? .long, help: ArgumentHelp(setting))
    }
}
