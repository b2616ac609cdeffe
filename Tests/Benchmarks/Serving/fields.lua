-- Asks with nine header fields of which five differ at each request, as proxies and tracing clients send them.
-- Argument: how many requests a second; without it, as fast as they go.

local pace = dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "pace.lua")
local count = 0
local fields = {}

function init(args)
    if args[1] then delay = pace(tonumber(args[1])) end
    for name, value in pairs(wrk.headers) do fields[name] = value end
    fields["User-Agent"] = "push-sender/2.1"
    fields["Accept"] = "application/json"
    fields["Accept-Encoding"] = "gzip"
end

function request()
    count = count + 1
    fields["X-Request-Id"] = string.format("request-%08d-%d", count, count * 7)
    fields["traceparent"] = string.format("00-%032x-%016x-01", count * 31, count * 17)
    fields["X-Forwarded-For"] = string.format("10.%d.%d.%d", count % 250, count % 241, count % 239)
    fields["X-Real-IP"] = string.format("10.%d.0.1", count % 251)
    fields["X-Correlation-Id"] = string.format("%x", count * 1234567)
    return wrk.format("GET", nil, fields)
end
