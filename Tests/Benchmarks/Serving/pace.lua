-- A steady rate over all connections of one thread: returns what wrk is to call as `delay` before each request. A
-- request that finds no free connection when it is due is made as soon as there is one, so none is left out.

local ffi = require("ffi")
ffi.cdef [[
    typedef struct { long seconds, nanoseconds; } moment;
    int clock_gettime(int clock, moment *now);
]]
local MONOTONIC = 1

-- How long the next request waits, in milliseconds, at so many requests a second.
return function(rate)
    local now, gap, due = ffi.new("moment"), 1000 / rate, nil
    return function()
        ffi.C.clock_gettime(MONOTONIC, now)
        local time = tonumber(now.seconds) * 1000 + tonumber(now.nanoseconds) / 1e6
        due = due and due + gap or time
        return math.max(0, due - time)
    end
end
