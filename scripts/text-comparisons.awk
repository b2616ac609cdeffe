# Finds where Swift sources hash or compare text as String, whose canonical equivalence costs time that grows with the
# square of a text's length; text of strangers is a ByteText instead. Usage: awk -f scripts/text-comparisons.awk FILE…
#
# It sees single lines and no types. A comparison is excused where its line, or the line of the `switch` above a `case`,
# says that it is one of bytes or scalars. A key never is, but for the environment, which Foundation hands over so.

function found(what) { printf "%s:%d: %s\n", FILENAME, FNR, what }

function isOfBytes(code) {
    return code ~ /bytewise|utf8|StaticString|UInt8\(ascii:/ || (" " code " ") ~ /[^A-Za-z]([A-Za-z]*S|s)calars?[^A-Za-z]/
}

FNR == 1 { isLiteral = 0 }

# Neither comments nor the lines of a long literal are code.
{
    code = $0
    sub(/(^|[ \t])\/\/.*/, "", code)
    wasLiteral = isLiteral
    if (gsub(/"""/, "&", code) % 2) isLiteral = !isLiteral
    if (wasLiteral || code ~ /^ *$/) next
    match(code, /^ */)
    depth = RLENGTH
}

code ~ /(\[|Set<|Dictionary<)(String|Substring|Character)( ?:|,|>)/ && code !~ /environment: \[String: String\]/ {
    found("String is a key; take ByteText")
}

# A case stands as deep as its switch, which may be the value of something on the same line.
code ~ /(^|[ =(])switch .*\{/ { isByteSwitch[depth] = isOfBytes(code) }
code ~ /^ *case "/ && !isByteSwitch[depth] { found("a case of String; switch over its `bytewise`") }

# Only String has these.
code ~ /\.has(Prefix|Suffix)\(/ { found("the beginning or end of String is compared; look at its `utf8`") }

# Bytes cannot be compared with a literal of one character; another part of the line excuses nothing here.
code ~ /\{ *\$0 [!=]= "/ && code !~ /[Ss]calars/ { found("String is searched by characters; search its `utf8`") }

isOfBytes(code) { next }

code ~ /[!=]= ?"/ || code ~ /" ?[!=]= / { found("String is compared with a literal; compare its `bytewise`") }

code ~ /(lower|upper)cased\(\) ?[!=]=/ || code ~ /[!=]= ?[A-Za-z0-9_.]+\.(lower|upper)cased\(\)/ {
    found("String is compared by case; compare its `bytewise`, or use ASCII.equalIgnoringCase")
}

code ~ /split\(.*separator: ?"/ || code ~ /(first|last)Index\(of: ?"/ || code ~ /\.contains\("/ || code ~ /"\]\.contains\(/ {
    found("String is searched by characters; search its `utf8`")
}
