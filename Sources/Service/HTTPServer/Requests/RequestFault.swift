/// The reason why the server itself refuses a request, or bytes that aren't one.
///
/// The application writes the response.
package enum RequestFault: Error, Equatable, Sendable {
    /// A fault in the boundaries of requests, after which nothing more can be read from a connection.
    package enum Framing: Error, Equatable, Sendable {
        /// The first line is not a method, a target and `HTTP/…` with one space between each (RFC 9112 §3).
        case requestLine

        /// All connections together buffer too many bytes of requests that are still arriving.
        case tooManyBytes

        /// The head exceeds its limit, and its first line exceeds the limit of a target.
        case lineTooLong

        /// The head exceeds its limit.
        case headTooLong

        /// A chunk has an extension, or its length isn't a plain hexadecimal number (RFC 9112 §7.1).
        case chunkLength

        /// A chunk is not followed by CRLF.
        case chunkEnd

        /// The fields after the last chunk exceed the limit of a whole head.
        case trailersTooLong
    }

    /// A fault of the field `Host`.
    package enum Host: Equatable, Sendable {
        /// The request has none.
        case missing

        /// The request has two.
        case duplicate

        /// The value is not one host name with at most a port.
        case malformed

        /// The port has a sign, which RFC 3986 §3.2.3 forbids.
        case signedPort

        /// Host and target name no address that could be redirected to.
        case notRedirectable
    }

    /// The boundaries of the request are unclear.
    case framing(Framing)

    /// SwiftNIO's parser cannot read the bytes, for a reason in its words.
    case unreadable(reason: String)

    /// The method isn't a token.
    case method

    /// The method asks for a tunnel, as from a proxy.
    case tunnel

    /// The target does not begin with a slash.
    case target

    /// The target exceeds the limit of ``RequestHeadRules/maximumFieldByteCount`` bytes.
    case targetTooLong

    /// There are over ``RequestHeadRules/maximumHeaderCount`` fields.
    case tooManyFields

    /// A field exceeds the limit of ``RequestHeadRules/maximumFieldByteCount`` bytes.
    case fieldTooLong(name: String)

    /// All fields together exceed the limit of ``RequestHeadRules/maximumHeaderByteCount`` bytes.
    case fieldsTooLarge

    /// The host is missing, or isn't one.
    case host(Host)

    /// The body is coded in another way than in chunks of HTTP/1.1.
    case transferEncoding

    /// The length of the body isn't one number.
    case contentLength

    /// The body exceeds the limit of ``RequestBodyLength/maximumByteCount`` bytes.
    case bodyTooLarge

    /// All connections together buffer too many bytes of requests that are still arriving.
    case tooManyBytes

    /// The connection waited for a place, and newer ones took its turn.
    case tooManyConnections
}
