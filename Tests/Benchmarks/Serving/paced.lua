-- Asks at a steady rate over all connections of one thread. Arguments: how many requests a second; then, to write users
-- instead of asking for the URL, how many there are. A request that finds no free connection when it is due is made as
-- soon as there is one.

local ffi = require("ffi")
ffi.cdef [[
    typedef struct { long seconds, nanoseconds; } moment;
    int clock_gettime(int clock, moment *now);
]]
local MONOTONIC = 1
local now = ffi.new("moment")
local plain, head, middle, rest, gap, users, due
local count = 0

function init(args)
    gap, users = 1000 / tonumber(args[1]), tonumber(args[2])
    plain = wrk.format()
    local fields = {["Content-Type"] = "application/json"}
    -- Each sets another end: a state that is there already would not be written.
    local body = '{"authorizationLevel":"premiumUser","validUntil":"2100-01-01T00:00:00.END0Z"}'
    head, middle, rest = wrk.format("POST", "/v1/users/wID", fields, body):match("^(.-wID)(.-)END0(.*)$")
    head = head:sub(1, -3)
end

-- How long the next request waits, in milliseconds.
function delay()
    ffi.C.clock_gettime(MONOTONIC, now)
    local time = tonumber(now.seconds) * 1000 + tonumber(now.nanoseconds) / 1e6
    due = due and due + gap or time
    return math.max(0, due - time)
end

function request()
    if not users then return plain end
    count = count + 1
    return head .. count % users .. middle .. string.format("%04d", math.floor(count / users) % 10000) .. rest
end
