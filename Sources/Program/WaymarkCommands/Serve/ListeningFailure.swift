import DeepLinkHTTP
import Foundation
import NIOCore

/// The messages of a server that can't listen.
enum ListeningFailure {
    /// Returns an error that describes why a server can't listen, and the settings to change; a described error stays.
    static func explained(_ error: any Error, settings: Settings) -> any Error {
        guard !(error is CommandError) else { return error }
        let redirects = error as? RedirectServer.BindingError
        let (number, error) = redirects.map { ($0.port, $0.cause) } ?? (settings.port, error)
        let address = settings.host.utf8.contains(UInt8(ascii: ":")) ? "[\(settings.host)]" : settings.host
        let place = "\(address):\(number)"
        let port = settings.waysToSet(redirects == nil ? .port : .redirectPort)
        let host = settings.waysToSet(.host)
        let message =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE?:
                "port \(number) on \(settings.host) is taken by another server. Stop it, or choose another port by \(port)."
            case EACCES?, EPERM?:
                "port \(number) needs more rights than this process has. Choose one above 1023 by \(port)."
            case EADDRNOTAVAIL?:
                "cannot listen on \(place): \(settings.host) is not an address of this machine. Choose one that it has, or "
                    + "0.0.0.0 for all of them, by \(host)."
            case EAFNOSUPPORT?:
                "cannot listen on \(place): this machine has no addresses of that kind (IPv4, IPv6). Choose another by \(host)."
            case let code?:
                "cannot listen on \(place): \(String(cString: strerror(code))). Choose another address by \(host)."
            case nil where error is SocketAddressError || error is SocketAddressError.UnknownHost:
                "cannot listen on \(place): no address is known for the name \(settings.host). Choose an address of this "
                    + "machine by \(host)."
            case nil:
                "cannot listen on \(place): \(error). Choose another address by \(host)."
            }
        return CommandError(.unavailable, message: message)
    }
}
