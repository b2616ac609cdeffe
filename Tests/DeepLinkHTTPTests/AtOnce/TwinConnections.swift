import WaymarkTestSupport

/// Two connections of a server that are asked the same questions: one on which they are answered at once, and one on
/// which each comes behind a request that waits, so that a task answers it.
final class TwinConnections {
    /// Bytes after the last answer.
    private struct UnaskedAnswer: Error {}

    /// A request that waits, and whose form keeps it from being answered by a task of its own: all behind it goes
    /// through Hummingbird's channel.
    private let first: Question

    private let port: Int
    private let clock: LoopClock
    private var quick: RawConnection
    private var plain: RawConnection

    /// The number of readings of the clock on an event loop, for the quick connection.
    private(set) var readCount = 0

    /// Connects; a server that tells callers apart answers the first request to an admin.
    init(port: Int, _ clock: LoopClock, asAdmin: Bool) throws {
        let fields =
            "Connection: keep-alive, te\r\n" + (asAdmin ? "Authorization: Bearer \(TestToken.admin.text)\r\n" : "")
        first = Question(line: "GET /v1/users?limit=1 HTTP/1.1", fields: Question.usualFields + fields)
        self.port = port
        self.clock = clock
        quick = try RawConnection(port: port)
        plain = try RawConnection(port: port)
    }

    /// Asks questions, ahead of their answers, on both connections.
    ///
    /// - Returns: the differences between the answers.
    func differences(_ questions: [Question]) throws -> [String] {
        let before = clock.readsOnLoops
        var (expected, plainIsOver) = try ask([first] + questions, plain)
        expected.removeFirst()
        let between = clock.readsOnLoops
        let (answers, quickIsOver) = try ask(questions, quick)
        readCount += clock.readsOnLoops - between
        // The clock is read on the loop to admit the first request, and by a refusal of the connection, its last
        // answer.
        let expectedReadCount = plainIsOver ? 2 : 1
        var differences = between - before <= expectedReadCount ? [] : ["No task answered."]
        if answers.count != expected.count || quickIsOver != plainIsOver {
            differences.append("\(answers.count) answers are not \(expected.count).")
        }
        for (index, (answer, expectation)) in zip(answers, expected).enumerated() where answer != expectation {
            differences.append("\(questions[index].line)\n\(answer)\nis not\n\(expectation)")
        }
        guard plainIsOver || quickIsOver else { return differences }
        quick = try RawConnection(port: port)
        plain = try RawConnection(port: port)
        return differences
    }

    /// The answers to questions, and whether the connection ended before all of them were answered, or with the last.
    private func ask(_ questions: [Question], _ connection: RawConnection) throws -> ([ReceivedResponse], isOver: Bool)
    {
        try connection.send(questions.flatMap { $0.bytes() })
        var answers: [ReceivedResponse] = []
        var received: [UInt8] = []
        for question in questions {
            var rest = received[...]
            var answer = ReceivedResponse(&rest, isHead: question.isHead)
            while answer == nil {
                let bytes = try connection.receiveSome()
                guard !bytes.isEmpty else { return (answers, true) }
                received += bytes
                rest = received[...]
                answer = ReceivedResponse(&rest, isHead: question.isHead)
            }
            received = Array(rest)
            if let answer { answers.append(answer) }
        }
        guard received.isEmpty else { throw UnaskedAnswer() }
        return (answers, answers.last?.head.contains("Connection: close") == true)
    }
}
