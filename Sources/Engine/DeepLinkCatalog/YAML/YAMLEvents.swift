import CYaml

/// The parts of a YAML text in sequence, as libyaml reads them.
///
/// libyaml is taken from the package Yams. Yams itself compares keys as `String`, by canonical equivalence, and hashes
/// the targets of aliases over and over. Both can keep a processor busy for minutes.
///
/// It is a class because libyaml's parser must be destroyed, and must not move.
final class YAMLEvents {
    /// A part of a text.
    struct Event {
        /// The kind of a part.
        enum Kind {
            case alias(of: String)
            case scalar(String, isPlain: Bool, anchor: String?, tag: String?)
            case sequenceStart(anchor: String?, tag: String?)
            case mappingStart(anchor: String?, tag: String?)

            /// The end of a list or of a mapping.
            case end

            case documentStart
            case documentEnd
            case streamEnd
        }

        let kind: Kind
        let mark: YAMLMark
    }

    /// The error of a text that isn't valid YAML.
    struct SyntaxError: Error {
        /// The problem in libyaml's words.
        let problem: String

        /// The mark of the problem, or `nil` if the bytes aren't text.
        let mark: YAMLMark?
    }

    private let columns: ColumnShifts
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)

    /// Starts reading.
    ///
    /// The bytes are UTF-8, and must stay in place while events are read.
    init(_ bytes: UnsafeBufferPointer<UInt8>, columns: ColumnShifts) {
        self.columns = columns
        parser.initialize(to: yaml_parser_t())
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Reads the next part.
    ///
    /// - Throws: ``SyntaxError`` if the text isn't valid YAML.
    func next() throws(SyntaxError) -> Event {
        var event = yaml_event_t()
        repeat {
            guard yaml_parser_parse(parser, &event) == 1 else { throw fault }
        } while event.type == YAML_STREAM_START_EVENT
        defer { yaml_event_delete(&event) }
        return Event(kind: Self.kind(of: event), mark: mark(event.start_mark))
    }

    private static func kind(of event: yaml_event_t) -> Event.Kind {
        switch event.type {
        case YAML_ALIAS_EVENT: .alias(of: text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            .scalar(
                String(
                    decoding: UnsafeBufferPointer(start: event.data.scalar.value, count: event.data.scalar.length),
                    as: UTF8.self
                ),
                isPlain: event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE,
                anchor: text(event.data.scalar.anchor),
                tag: text(event.data.scalar.tag)
            )
        case YAML_SEQUENCE_START_EVENT:
            .sequenceStart(
                anchor: text(event.data.sequence_start.anchor),
                tag: text(event.data.sequence_start.tag)
            )
        case YAML_MAPPING_START_EVENT:
            .mappingStart(anchor: text(event.data.mapping_start.anchor), tag: text(event.data.mapping_start.tag))
        case YAML_DOCUMENT_START_EVENT: .documentStart
        case YAML_DOCUMENT_END_EVENT: .documentEnd
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: .end
        default: .streamEnd
        }
    }

    private static func text(_ name: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        name.map { String(cString: $0) }
    }

    private var fault: SyntaxError {
        SyntaxError(
            problem: parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read",
            mark: parser.pointee.error == YAML_READER_ERROR ? nil : mark(parser.pointee.problem_mark)
        )
    }

    private func mark(_ mark: yaml_mark_t) -> YAMLMark {
        let column = columns.column(at: Int(mark.index), converted: Int(mark.column))
        return YAMLMark(line: Int(mark.line) + 1, column: column + 1)
    }
}
