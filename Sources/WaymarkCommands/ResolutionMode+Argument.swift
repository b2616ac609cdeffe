public import ArgumentParser
public import DeepLinkCore

extension ResolutionRequest.Mode: ExpressibleByArgument {}
