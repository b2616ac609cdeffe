-- Asks by a body. Arguments: the link, the user.

function init(args)
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    wrk.body = string.format('{"link":"%s","user":"%s"}', args[1], args[2])
end

function request()
    return wrk.format()
end
