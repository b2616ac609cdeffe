import ArgumentParser

/// The form of an answer: for people or for programs.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
}
