import DeepLinkAuthentication
import DeepLinkCore
import Synchronization

/// What observers are told of an admission: who asked, and which catalog answers.
struct AdmissionNote: Sendable {
    let caller: ObservedCaller
    let catalogVersion: String

    /// Notes a caller, whether or not the request is then let in.
    init(_ caller: Caller, _ catalog: RouteCatalog) {
        self.caller = ObservedCaller(caller)
        catalogVersion = catalog.version
    }
}

/// The note of a request that Hummingbird's router answers, on its way from the task that admits it to the connection
/// that writes the answer.
final class RoutedAdmission: Sendable {
    /// The one of the request at hand; `nil` where nobody observes.
    @TaskLocal static var current: RoutedAdmission?

    private let state = Mutex<AdmissionNote?>(nil)

    /// What was noted, if the request got so far.
    var note: AdmissionNote? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
