import NIOCore
import Synchronization

/// A request that its connection passes to a task, with the parsed head and the decisions so far.
final class DeferredRequest: Sendable {
    let head: RequestHead

    /// The result of the admission, or `nil` if the task has to decide, because an earlier request comes first or a
    /// token must be verified.
    let admitted: AdmittedRequest?

    /// The peer of the connection, if it is needed.
    let peer: SocketAddress?

    private let state: Mutex<AdmissionNote?>

    /// The note of the admission for observers, or `nil` if no caller was found or there are no observers.
    var note: AdmissionNote? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    init(_ head: RequestHead, admitted: AdmittedRequest?, from peer: SocketAddress?, note: AdmissionNote?) {
        self.head = head
        self.admitted = admitted
        self.peer = peer
        state = Mutex(note)
    }
}

/// The deferred requests of one connection that no task has started yet, oldest first.
final class DeferredRequests: Sendable {
    private let requests = Mutex<[DeferredRequest]>([])

    /// Adds the newest request.
    func append(_ request: DeferredRequest) { requests.withLock { $0.append(request) } }

    /// Removes and returns the oldest request, or returns `nil` if there is none.
    func takeFirst() -> DeferredRequest? { requests.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
