import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// The set-up of each connection: HTTP/1.1 with our own limits, answers at once, and problems also for bytes that are no
/// request.
///
/// Hummingbird's own channel knows neither deadlines for a request nor the version of HTTP, reads on for ever after an
/// early answer, and takes a task for each connection's requests.
struct ServiceChannel: HTTPChannelHandler {
    /// A connection, and the part of it that may wait.
    struct Connection: ServerChildChannelValue {
        let channel: any Channel
        let waiting: EventLoopFuture<WaitingPart.AsyncChannel?>
    }

    let responder: Responder
    let limits: ConnectionLimits
    let environment: ServiceEnvironment

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture {
            let waiting = WaitingPart(channel)
            try Self.addHandlers(to: channel.pipeline.syncOperations, limits, environment, waiting)
            return Connection(channel: channel, waiting: waiting.future)
        }
    }

    /// Adds what stands before Hummingbird: bytes come in, and requests that must wait come out.
    static func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations,
        _ limits: ConnectionLimits,
        _ environment: ServiceEnvironment,
        _ waiting: WaitingPart
    ) throws {
        let framer = RequestFramer(ConnectionClock(limits), environment.load.arriving)
        try pipeline.addHandler(framer)
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,  // The gate takes one request at a time.
            withErrorHandling: false,
            withOutboundHeaderValidation: false  // HTTPTypes has checked them.
        )
        try pipeline.addHandler(RequestGate(framer, limits, environment, waiting))
    }

    func handle(value: Connection, logger: Logger) async {
        guard let channel = try? await value.waiting.get() else { return }
        await handleHTTP(asyncChannel: channel, logger: logger)
    }
}
