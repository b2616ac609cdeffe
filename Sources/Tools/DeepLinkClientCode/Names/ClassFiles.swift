/// The class files for the Java virtual machine: one for each class, named after it and the classes around it.
struct ClassFiles {
    /// The longest file name of common file systems, in bytes (`NAME_MAX` of Linux; APFS and NTFS allow 255 units).
    static let maximumLength = 255

    /// The bytes that compilers add to the names, such as `$Companion$read$12.class`.
    private static let room = 32

    /// The name of the type that contains all others.
    let outerName: String

    /// Returns the length of the longest file name of a class nested in others: `AppRoute$Product$Size`.
    func length(of names: [String]) -> Int {
        names.reduce(outerName.utf8.count) { $0 + 1 + $1.utf8.count } + Self.room
    }
}
