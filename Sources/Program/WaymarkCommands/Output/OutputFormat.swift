import ArgumentParser

/// The format of output: for people or for programs.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
}
