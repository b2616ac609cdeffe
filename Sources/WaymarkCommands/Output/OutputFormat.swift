import ArgumentParser

/// Chooses between an answer for people and one for programs.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
}
