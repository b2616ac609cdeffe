import ArgumentParser

/// The option of commands that write: whether they make a database.
struct NewDatabaseOption: ParsableArguments {
    @Flag(help: "Make the database where there is none; without this, a mistyped one is an error.")
    var create = false
}
