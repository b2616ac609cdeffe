-- Asks at a steady rate. Arguments: how many requests a second; then, to write users instead of asking for the URL, how
-- many there are.

local pace = dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "pace.lua")
local plain, head, middle, rest, users
local count = 0

function init(args)
    delay, users = pace(tonumber(args[1])), tonumber(args[2])
    plain = wrk.format()
    local fields = {["Content-Type"] = "application/json"}
    -- Each sets another end: a state that is there already would not be written.
    local body = '{"authorizationLevel":"premiumUser","validUntil":"2100-01-01T00:00:00.END0Z"}'
    head, middle, rest = wrk.format("POST", "/v1/users/wID", fields, body):match("^(.-wID)(.-)END0(.*)$")
    head = head:sub(1, -3)
end

function request()
    if not users then return plain end
    count = count + 1
    return head .. count % users .. middle .. string.format("%04d", math.floor(count / users) % 10000) .. rest
end
