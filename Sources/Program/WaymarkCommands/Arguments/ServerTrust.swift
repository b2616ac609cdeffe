import NIOCore
import NIOSSL

/// The server certificates that a command accepts.
enum ServerTrust {
    /// Certificates for the server's name that an authority of this machine has issued.
    case system

    /// Certificates for the server's name that an authority in a PEM file has issued.
    case authorities(file: String)

    /// The certificate in a PEM file alone, with any name.
    ///
    /// The server's own settings name the file.
    case own(file: String)

    /// Any certificate, for requests without secrets to a server on this machine.
    case any

    /// Adds TLS to a connection with a server, before all other handlers.
    ///
    /// - Throws: ``CommandError`` if the file cannot be used, or SwiftNIO's error if the connection has ended.
    func add(to pipeline: ChannelPipeline.SynchronousOperations, host: String) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        // RFC 9325 section 3.1.1: nothing older.
        configuration.minimumTLSVersion = .tlsv12
        // A host name is sent to the server and checked against its certificate. An address is only checked.
        let name = (try? SocketAddress(ipAddress: host, port: 0)) == nil ? host : nil
        switch self {
        case .system: break
        case .authorities(let file): configuration.trustRoots = .certificates(try Self.certificates(in: file))
        case .any: configuration.certificateVerification = .none
        case .own(let file):
            let expected = try Self.certificates(in: file).first
            let context = try NIOSSLContext(configuration: configuration)
            let handler = try NIOSSLClientHandler(context: context, serverHostname: name) { shown, promise in
                promise.succeed(shown.first == expected ? .certificateVerified : .failed)
            }
            return try pipeline.addHandler(handler)
        }
        let context = try NIOSSLContext(configuration: configuration)
        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
    }

    /// Reads the certificates of a file.
    ///
    /// - Throws: ``CommandError`` of code 69 if it cannot be read, and of code 65 if it holds none.
    private static func certificates(in file: String) throws(CommandError) -> [NIOSSLCertificate] {
        let bytes = try InputFile.read(file)
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty else {
            throw CommandError.badData("`\(file)` holds no certificate in PEM.")
        }
        return certificates
    }
}
