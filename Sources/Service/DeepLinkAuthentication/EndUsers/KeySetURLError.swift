/// The reason why keys are not fetched from a URL.
package enum KeySetURLError: Error, Hashable, CustomStringConvertible {
    /// The text isn't an absolute URL with a host.
    case malformed

    /// The scheme is neither https, nor http of a loopback address.
    case insecure

    /// The URL holds a user name, a password or a fragment.
    case surplus

    /// The description of the error.
    package var description: String {
        switch self {
        case .malformed: "it isn't a URL, such as https://id.example/.well-known/jwks.json"
        case .insecure: "it is not https, which keys are fetched by from any host but a loopback address"
        case .surplus: "it holds a user name, a password or a fragment"
        }
    }
}
