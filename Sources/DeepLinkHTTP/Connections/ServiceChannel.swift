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
    let load: ServerLoad

    func setup(
        channel: any Channel,
        logger: Logger
    ) -> EventLoopFuture<NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let framer = RequestFramer(ConnectionClock(limits))
            try pipeline.addHandler(framer)
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,  // The responder takes one request at a time.
                withErrorHandling: false,
                withOutboundHeaderValidation: false  // HTTPTypes has checked them.
            )
            try pipeline.addHandler(RequestGate(framer, limits, load))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
        }
    }

    func handle(value: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}
