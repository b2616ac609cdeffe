public import ArgumentParser
public import DeepLinkCore

extension Role: ExpressibleByArgument {}
