-- Asks for random links of random users. Arguments: the format of a user's name, how many users, how many links.
-- One link is that of the other rounds; a second and further ones differ from it in their numbers and text.

local users, links, name, head, middle, rest
local tails = {}

function init(args)
    name, users, links = args[1], tonumber(args[2]), tonumber(args[3])
    -- A seed of its own for each run: equal sequences would find the users of the run before.
    local random = io.open("/dev/urandom", "rb")
    local a, b, c = random:read(3):byte(1, 3)
    random:close()
    math.randomseed(a * 65536 + b * 256 + c)
    for link = 1, links do
        local title = link == 1 and "test" or "test" .. link
        tails[link] = "navigation%3A%2F%2Floremipsum.com%2Fcharacters%2Fcharacter%2F" .. link
            .. "%2Fcharacter%2F" .. (link + 1) .. "%3Fsheet%3D" .. title
    end
    -- Holds the header fields that wrk was given, and its own.
    head, middle, rest = wrk.format("GET", "/v1/resolve?user=USER&link=LINK"):match("^(.-)USER(.-)LINK(.*)$")
end

function request()
    return head .. name:format(math.random(0, users - 1)) .. middle .. tails[math.random(links)] .. rest
end
