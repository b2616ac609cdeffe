import EmbeddedFiles

extension ClientLanguage {
    /// Returns the files that don't depend on a catalog.
    ///
    /// Those of Kotlin are in the package of the options.
    package func runtime(_ options: GenerationOptions) -> [GeneratedFile] {
        UnsafeBufferPointer(start: client_runtime_files(), count: client_runtime_file_count())
            .filter { String(cString: $0.language) == rawValue }
            .map { file in
                var text = String(
                    decoding: UnsafeBufferPointer(start: file.bytes, count: file.byte_count),
                    as: UTF8.self
                )
                if self == .kotlin {
                    text = text.replacing(
                        "\npackage waymark\n",
                        with: options.packageName.map { "\npackage \($0)\n" } ?? "\n"
                    )
                }
                return GeneratedFile(name: String(cString: file.name), text: text)
            }
    }
}
