import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The origin at which a browser shows the console.
///
/// The scheme is the browser's, regardless of proxies in between.
struct ConsoleOrigin {
    /// The scheme and the host, with its port if it has one, in lower case.
    let text: String

    /// Whether the browser uses TLS.
    let isSecure: Bool

    /// Checks that a request comes from a page of the same origin.
    ///
    /// Browsers send the origin, and pages cannot change it (Fetch Standard §3.2).
    ///
    /// - Throws: `Problem` with the code `invalid-request` for a page of another origin, and for a program without one.
    init(ofPageIn head: RequestHead) throws(Problem) {
        let given = head.fields.origin?.lowercased()
        for isSecure in [true, false] {
            let own = ConsoleOrigin(of: head, isSecure: isSecure)
            if let given, given.bytewise == own.text.bytewise {
                self = own
                return
            }
        }
        throw .invalidRequest(
            field: "Origin",
            reason: .invalidValue,
            detail:
                "Only the console's own page may send this; its `Origin` names the `Host` that the request is for. A proxy "
                + "must pass the `Host` of the browser on."
        )
    }

    /// Creates the origin of a page at the host of a request.
    init(of head: RequestHead, isSecure: Bool) {
        // Browsers omit the default port in `Origin`, while proxies include it in `Host`.
        let scheme = isSecure ? "https" : "http"
        text = "\(scheme)://" + Origin.host(head.fields.host.first ?? "", ofScheme: scheme)
        self.isSecure = isSecure
    }

    /// Checks that the browser's connection is private: TLS, or within this machine.
    ///
    /// - Throws: `Problem` with the code `invalid-request`.
    func checkPrivacy(of head: RequestHead) throws(Problem) {
        guard !isSecure, HostName(authority: head.fields.host.first ?? "")?.isLoopback != true else { return }
        throw .invalidRequest(
            field: "Origin",
            reason: .invalidValue,
            detail: "People log in over https, or on the machine itself by `localhost`."
        )
    }
}
