-- Asks for web links of a shop at random, as a browser does, or for their plans. Arguments: how many links, what is asked for
-- of a link: "page" or "plan".

local links, head, rest

function init(args)
    links = tonumber(args[1])
    -- A seed of its own for each run: equal sequences would find the pages of the run before.
    local random = io.open("/dev/urandom", "rb")
    local a, b, c = random:read(3):byte(1, 3)
    random:close()
    math.randomseed(a * 65536 + b * 256 + c)
    if args[2] == "page" then
        wrk.headers["Host"] = "links.example.com"
        wrk.headers["User-Agent"] = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
        wrk.headers["Accept"] = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
        wrk.headers["Accept-Language"] = "de-DE,de;q=0.9,en;q=0.8"
        head, rest = wrk.format("GET", "/p/NUMBER?utm_source=mail"):match("^(.-)NUMBER(.*)$")
    else
        wrk.headers["Accept"] = "application/json"
        local link = "/v1/resolve?link=https%3A%2F%2Flinks.example.com%2Fp%2FNUMBER%3Futm_source%3Dmail"
        head, rest = wrk.format("GET", link):match("^(.-)NUMBER(.*)$")
    end
end

function request()
    return head .. math.random(links) .. rest
end
