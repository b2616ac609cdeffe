import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Sets up each connection: HTTP/1.1 with our own limits, and problems also for bytes that are no request.
///
/// Hummingbird's own channel knows neither deadlines for a request nor the version of HTTP, and reads on for ever after
/// an early answer.
struct ServiceChannel: HTTPChannelHandler {
    let responder: Responder
    let limits: ConnectionLimits
    let environment: ServiceEnvironment

    func setup(
        channel: any Channel,
        logger: Logger
    ) -> EventLoopFuture<NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try Self.addHandlers(to: pipeline, limits, environment)
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
        }
    }

    /// Adds what stands before the responder: bytes come in, and requests that may be answered come out.
    static func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations,
        _ limits: ConnectionLimits,
        _ environment: ServiceEnvironment
    ) throws {
        let framer = RequestFramer(ConnectionClock(limits), environment.load.arriving, Shortcut(environment))
        try pipeline.addHandler(framer)
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,  // The responder takes one request at a time.
            withErrorHandling: false,
            withOutboundHeaderValidation: false  // HTTPTypes has checked them.
        )
        try pipeline.addHandler(RequestGate(framer, limits, environment))
    }

    func handle(value: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}
