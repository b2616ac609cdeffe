public import ArgumentParser
public import DeepLinkCore
package import DeepLinkUsers

extension AuthorizationLevel: ExpressibleByArgument {
    /// Reads a level's name on the command line.
    public init?(argument: String) { self.init(name: argument) }

    /// The names, for `--help` and for messages about any other text.
    public static var allValueStrings: [String] { allCases.map(\.name) }

    /// The name, for defaults in `--help`.
    public var defaultValueDescription: String { name }
}

extension ResolutionRequest.Mode: ExpressibleByArgument {}

extension AppVersion: ExpressibleByArgument {
    /// Reads a platform and a version on the command line.
    public init?(argument: String) { self.init(argument) }
}

extension Role: ExpressibleByArgument {}
