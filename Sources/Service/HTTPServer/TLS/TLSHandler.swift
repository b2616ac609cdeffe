import NIOCore
import NIOSSL
import NIOTLS

/// The handler behind the TLS handler.
///
/// It closes a connection if the handshake takes too long, and keeps TLS errors from the HTTP handlers. After such an
/// error the connection closes by itself.
///
/// The HTTP handlers see no byte before the handshake is complete, so they would take a slow handshake for silence.
final class TLSHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The maximum size of a connection's send buffer in bytes.
    ///
    /// Memory beyond that, for a large response, is released.
    private static let maximumKeptByteCount = 32 * 1024

    private let maximumDuration: TimeAmount
    private var timer: Scheduled<Void>?

    private init(maximumDuration: TimeAmount) {
        self.maximumDuration = maximumDuration
    }

    /// Adds TLS to a connection, before all other handlers.
    ///
    /// - Throws: SwiftNIO's error if the connection has ended.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        certificate: ServerCertificate,
        limits: ConnectionLimits
    ) throws {
        var configuration = NIOSSLHandler.Configuration()
        configuration.maximumPreservedOutboundBufferCapacity = maximumKeptByteCount
        try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context, configuration: configuration))
        try pipeline.addHandler(TLSHandler(maximumDuration: limits.request))
    }

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { start(context) } }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    private func start(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        timer = context.eventLoop.assumeIsolated()
            .scheduleTask(in: maximumDuration) { context.channel.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { timer?.cancel() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is NIOSSLError, is BoringSSLError, is NIOSSLCloseTimedOutError: break
        default: context.fireErrorCaught(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }
}
