import DeepLinkAuthentication
import DeepLinkCore

/// The facts about an admission that observers get: the caller, and the version of the catalog that answers.
struct AdmissionNote: Sendable {
    let caller: ObservedCaller
    let catalogVersion: String

    /// Notes a caller, whether or not the request is then let in.
    init(of caller: Caller, by catalog: RouteCatalog) {
        self.caller = ObservedCaller(caller)
        catalogVersion = catalog.version
    }
}
