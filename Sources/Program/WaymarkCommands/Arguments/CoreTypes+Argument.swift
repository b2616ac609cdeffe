public import ArgumentParser
public import DeepLinkCore
package import DeepLinkStorage

extension ResolutionRequest.Mode: ExpressibleByArgument {}

extension AppVersion: ExpressibleByArgument {
    /// Reads a platform and a version on the command line.
    public init?(argument: String) { self.init(argument) }
}

extension Role: ExpressibleByArgument {}
