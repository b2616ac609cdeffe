import WaymarkTestSupport

/// Asks the same questions on two connections of a server: one on which fields repeat themselves, so that the shortcut
/// knows them, and one on which no two requests have the same.
final class TwinConnections {
    /// Reports bytes after the last answer.
    private struct UnaskedAnswer: Error {}

    private static let warmUp = Question("link=navigation:/onboarding")

    private let port: Int
    private let clock: LoopClock
    private var quick: RawConnection
    private var plain: RawConnection
    private var number = 0

    /// How often the clock was read on an event loop, for the quick connection.
    private(set) var readCount = 0

    init(port: Int, _ clock: LoopClock) throws {
        self.port = port
        self.clock = clock
        quick = try RawConnection(port: port)
        plain = try RawConnection(port: port)
        _ = try ask([Self.warmUp], quick) { "" }
    }

    /// Asks the first question alone, whose fields may be new, and sends the others ahead of their answers, on both
    /// connections.
    ///
    /// - Returns: what differs between the answers.
    func differences(_ questions: [Question]) throws -> [String] {
        try differencesAhead(Array(questions.prefix(1))) + differencesAhead(Array(questions.dropFirst()))
    }

    private func differencesAhead(_ questions: [Question]) throws -> [String] {
        let before = clock.readsOnLoops
        let (expected, plainIsOver) = try ask(questions, plain) {
            number += 1
            return "X-Plain: \(number)\r\n"
        }
        let between = clock.readsOnLoops
        let (answers, quickIsOver) = try ask(questions, quick) { "" }
        readCount += clock.readsOnLoops - between
        // A refusal by the connection itself, which is its last answer, reads the clock for its date.
        let refusalCount = plainIsOver ? 1 : 0
        var differences = between - before <= refusalCount ? [] : ["The plain way was not taken."]
        if answers.count != expected.count || quickIsOver != plainIsOver {
            differences.append("\(answers.count) answers are not \(expected.count).")
        }
        for (index, (answer, expectation)) in zip(answers, expected).enumerated() where answer != expectation {
            differences.append("\(questions[index].line)\n\(answer)\nis not\n\(expectation)")
        }
        guard plainIsOver || quickIsOver else { return differences }
        quick = try RawConnection(port: port)
        plain = try RawConnection(port: port)
        _ = try ask([Self.warmUp], quick) { "" }
        return differences
    }

    /// The answers to questions, and whether the connection ended before all of them were answered, or with the last.
    private func ask(
        _ questions: [Question],
        _ connection: RawConnection,
        _ extra: () -> String
    ) throws -> ([Answer], isOver: Bool) {
        try connection.send(questions.flatMap { $0.bytes(extra()) })
        var answers: [Answer] = []
        var received: [UInt8] = []
        for question in questions {
            var rest = received[...]
            var answer = Answer(&rest, isHead: question.isHead)
            while answer == nil {
                let bytes = try connection.receiveSome()
                guard !bytes.isEmpty else { return (answers, true) }
                received += bytes
                rest = received[...]
                answer = Answer(&rest, isHead: question.isHead)
            }
            received = Array(rest)
            if let answer { answers.append(answer) }
        }
        guard received.isEmpty else { throw UnaskedAnswer() }
        return (answers, answers.last?.head.contains("Connection: close") == true)
    }
}
