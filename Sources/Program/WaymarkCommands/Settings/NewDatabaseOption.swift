import ArgumentParser

/// The option of commands that write: whether they create a database.
struct NewDatabaseOption: ParsableArguments {
    @Flag(help: "Create the database if it doesn't exist; otherwise a mistyped one is an error.")
    var create = false
}
