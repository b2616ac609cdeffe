# Finds types whose documentation begins with a verb: a type is said by what it is, in a noun phrase ("The head of a
# response, in bytes."). Usage: awk -f scripts/type-summaries.awk FILE…

FNR == 1 { summary = "" }

/^ *\/\/\/ / && summary == "" { summary = $0; line = FNR; next }
/^ *(\/\/\/|@)/ { next }

summary ~ /\/\/\/ (Is|Says|Tells|Holds|Names|Reports|Records|Declares|Finds|Reads|Writes|Checks|Decides|Describes|Marks|Lists|Builds|Makes|Asks|Answers|Identifies|Keeps|Joins|Walks|Looks|Decodes|Shows|Lets|Resolves|Takes|Closes|Fetches|Remembers|Verifies|Recognizes|Signs|Turns|Sends|Measures|Runs|Prints) / &&
    /^ *((public|package|private|fileprivate|final|indirect) )*(struct|class|enum|protocol|actor|typealias) / {
    printf "%s:%d:%s\n", FILENAME, line, summary
}

{ summary = "" }
