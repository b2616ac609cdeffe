import ArgumentParser

/// Chooses how a list of results is shown.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
    case junit
}
