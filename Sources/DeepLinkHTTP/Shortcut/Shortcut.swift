import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import Hummingbird
import NIOCore
import NIOHTTP1

/// Answers requests of one connection from their bytes, at once and on its event loop, where that takes no decision that
/// was not taken on the plain way before.
///
/// These are the plainest of requests, `GET /v1/resolve`, whose header fields are byte for byte those of an earlier
/// request of the connection. Whatever judges, resolves or words an answer is the plain way's own; what is not known to
/// be the same there is left to it.
final class Shortcut {
    /// How many bytes of answers are gathered before it is asked whether the client takes them.
    private static let maximumAnswerByteCount = 32 * 1024

    private static let success = AnswerHead(Response(json: ByteBuffer()))

    private let environment: ServiceEnvironment

    /// The fields of the last request that taught some.
    private var learned: LearnedFields?

    /// What was found out about them; `nil` while nobody has sent them again.
    private var admission: Admission?

    private var date = HTTPDate()

    init(_ environment: ServiceEnvironment) {
        self.environment = environment
    }

    /// Learns from a whole head that goes the plain way, and has neither a body nor anything that ends the connection.
    func learn(_ piece: ByteBuffer, _ head: HTTPRequestHead) {
        guard let fields = LearnedFields(piece, head) else { return }
        learned = fields
        admission = nil
    }

    /// Takes requests off the front of what has come, as many as can be answered here, and writes their answers.
    ///
    /// - Returns: how many they are; with none, the plain way must go on.
    func answer(_ requests: inout ByteBuffer, in answers: inout ByteBuffer) -> Int {
        var count = 0
        while answers.readableBytes < Self.maximumAnswerByteCount, let learned, !environment.load.isDraining,
            let target = PlainTarget(requests.readableBytesUInt8Span), learned.follow(target.byteCount, in: requests),
            let admission = admission(of: learned)
        {
            environment.load.requestBegan()
            guard answer(target, admission, in: &answers) else {
                environment.load.requestEnded()
                break
            }
            requests.moveReaderIndex(forwardBy: target.byteCount + learned.byteCount)
            count += 1
        }
        return count
    }

    /// Notes that answers are sent, or never will be.
    func answersEnded(_ count: Int) { environment.load.requestsEnded(count) }

    /// Answers one request; `false` where the plain way must, so that what failed is logged there.
    private func answer(_ target: PlainTarget, _ admission: Admission, in answers: inout ByteBuffer) -> Bool {
        let time = environment.now()
        guard admission.isValid(at: time) else { return false }
        let head: AnswerHead
        let body: [UInt8]
        do throws(Problem) {
            body = try environment.load.workAtOnce { () throws(Problem) in
                let arguments = try ResolveArguments(
                    link: target.link,
                    user: target.user,
                    admission.fields,
                    admission.caller
                )
                return try admission.answer.plan(for: arguments).json
            }
            head = Self.success
        } catch {
            guard error.cause == nil else { return false }
            head = AnswerHead(Response(error))
            body = error.json
        }
        head.write(body, date: date.text(at: time), to: &answers)
        return true
    }

    /// What is known about the learned fields, found out anew where the catalog or the tokens have changed.
    private func admission(of learned: LearnedFields) -> Admission? {
        if let admission, admission.isCurrent(in: environment) { return admission }
        admission = Admission(learned.headers, environment)
        return admission
    }
}
