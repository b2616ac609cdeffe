# Finds comments that don't say the noun. Usage: awk -f scripts/summaries.awk FILE…
#
# A type is said by what it is, in a noun phrase ("The head of a response, in bytes."), not by a verb. No comment, and no
# paragraph of one, begins with a clause in place of a noun ("What a request has to show."); questions may.

function first_sentence(text, place) {
    place = match(text, /[.?!]( |$)/)
    return place ? substr(text, 1, place) : text
}

function end_paragraph() {
    sentence = first_sentence(paragraph)
    if (sentence ~ /^(What|Who|Whose|Whoever|Whatever|Where|Wherever|How|Which|Whichever) / && sentence !~ /\?$/ ||
        isDocumentation && sentence ~ /^(When|Why) [^,]*$/)
        printf "%s:%d: %s: say the noun, not a clause\n", file, start, sentence
    paragraph = ""
}

FNR == 1 { end_paragraph(); summary = ""; file = FILENAME }

# In Swift a `#` begins a macro.
{ isComment = /^ *\/\// || FILENAME !~ /\.swift$/ && /^ *#/ }
!isComment { end_paragraph() }
isComment {
    text = $0
    sub(/^ *(\/\/+|#+) */, "", text)
    if (text == "") end_paragraph()
    else if (paragraph == "") { paragraph = text; start = FNR; isDocumentation = $0 ~ /^ *\/\/\// }
    else paragraph = paragraph " " text
}
/^ *\/\/\/ *- [A-Za-z ]+: (what|who|whose|whoever|whatever|where|wherever|how|which|whichever) / {
    printf "%s:%d:%s: say the noun, not a clause\n", FILENAME, FNR, $0
}

/^ *\/\/\/ / && summary == "" { summary = $0; line = FNR; next }
/^ *(\/\/\/|@)/ { next }

summary ~ /\/\/\/ (Is|Says|Tells|Holds|Names|Reports|Records|Declares|Finds|Reads|Writes|Checks|Decides|Describes|Marks|Lists|Builds|Makes|Asks|Answers|Identifies|Keeps|Joins|Walks|Looks|Decodes|Shows|Lets|Resolves|Takes|Closes|Fetches|Remembers|Verifies|Recognizes|Signs|Turns|Sends|Measures|Runs|Prints) / &&
    /^ *((public|package|private|fileprivate|final|indirect) )*(struct|class|enum|protocol|actor|typealias) / {
    printf "%s:%d:%s: say what the type is, not what it does\n", FILENAME, line, summary
}

{ summary = "" }

END { end_paragraph() }
