import DeepLinkCore

/// The place of the audit log, as the setting names it.
enum AuditPlace: Equatable {
    /// The service's standard error, between the messages of its log; commands write nothing.
    case standardError

    /// No log.
    case off

    /// A file, to which the service and commands add.
    case file(String)

    /// Reads the value of the setting; a file of one of the two words is written with `./` before it.
    init(_ text: String) {
        switch text.bytewise {
        case "stderr": self = .standardError
        case "none": self = .off
        default: self = .file(text)
        }
    }
}
