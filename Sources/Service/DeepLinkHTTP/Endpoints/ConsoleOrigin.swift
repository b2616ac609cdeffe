import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The origin at which a browser shows the console: the scheme is the browser's, whatever stands between it and the server.
struct ConsoleOrigin {
    /// The scheme and the host, with its port if it has one, in lower case.
    let text: String

    /// Whether the browser speaks TLS.
    let isSecure: Bool

    /// Requires that a request comes from a page of the same origin: browsers name it, and no page can change it (Fetch
    /// Standard §3.2).
    ///
    /// - Throws: `Problem` of code `invalid-request` for a page of another origin, and for a program, which names none.
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
        // Browsers leave the default port out of `Origin`, proxies put it into `Host`.
        let scheme = isSecure ? "https" : "http"
        text = "\(scheme)://" + Origin.host(head.fields.host.first ?? "", ofScheme: scheme)
        self.isSecure = isSecure
    }

    /// Requires that nobody between can read what the browser sends: TLS, or this machine.
    ///
    /// - Throws: `Problem` of code `invalid-request`.
    func checkPrivacy(of head: RequestHead) throws(Problem) {
        guard !isSecure, HostName(authority: head.fields.host.first ?? "")?.isLoopback != true else { return }
        throw .invalidRequest(
            field: "Origin",
            reason: .invalidValue,
            detail: "People log in over https, or on the machine itself by `localhost`."
        )
    }
}
