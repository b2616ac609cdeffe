#include "ConsolePage.h"

static const uint8_t page[] = {
#embed "Console/index.html"
};
static const uint8_t icon[] = {
#embed "Console/icon.svg"
};
static const uint8_t console_css[] = {
#embed "Console/console.css"
};
static const uint8_t screens_css[] = {
#embed "Console/screens.css"
};
static const uint8_t console_js[] = {
#embed "Console/console.js"
};
static const uint8_t dom_js[] = {
#embed "Console/dom.js"
};
static const uint8_t api_js[] = {
#embed "Console/api.js"
};
static const uint8_t place_js[] = {
#embed "Console/place.js"
};
static const uint8_t catalog_js[] = {
#embed "Console/catalog.js"
};
static const uint8_t witness_js[] = {
#embed "Console/witness.js"
};
static const uint8_t screens_js[] = {
#embed "Console/screens.js"
};
static const uint8_t trace_js[] = {
#embed "Console/trace.js"
};
static const uint8_t link_js[] = {
#embed "Console/link.js"
};
static const uint8_t answer_js[] = {
#embed "Console/answer.js"
};
static const uint8_t routes_js[] = {
#embed "Console/routes.js"
};
static const uint8_t route_js[] = {
#embed "Console/route.js"
};
static const uint8_t graph_js[] = {
#embed "Console/graph.js"
};
static const uint8_t associations_js[] = {
#embed "Console/associations.js"
};
static const uint8_t users_js[] = {
#embed "Console/users.js"
};
static const uint8_t short_links_js[] = {
#embed "Console/short-links.js"
};
static const uint8_t changes_js[] = {
#embed "Console/changes.js"
};
static const uint8_t counts_js[] = {
#embed "Console/counts.js"
};
static const uint8_t report_js[] = {
#embed "Console/report.js"
};

#define HTML "text/html; charset=utf-8"
#define SVG "image/svg+xml"
#define CSS "text/css; charset=utf-8"
#define JS "text/javascript; charset=utf-8"
#define FILE(name, type, bytes) {name, type, bytes, sizeof bytes}

static const console_page_file files[] = {
    FILE("", HTML, page),
    FILE("icon.svg", SVG, icon),
    FILE("console.css", CSS, console_css),
    FILE("screens.css", CSS, screens_css),
    FILE("console.js", JS, console_js),
    FILE("dom.js", JS, dom_js),
    FILE("api.js", JS, api_js),
    FILE("place.js", JS, place_js),
    FILE("catalog.js", JS, catalog_js),
    FILE("witness.js", JS, witness_js),
    FILE("screens.js", JS, screens_js),
    FILE("trace.js", JS, trace_js),
    FILE("link.js", JS, link_js),
    FILE("answer.js", JS, answer_js),
    FILE("routes.js", JS, routes_js),
    FILE("route.js", JS, route_js),
    FILE("graph.js", JS, graph_js),
    FILE("associations.js", JS, associations_js),
    FILE("users.js", JS, users_js),
    FILE("short-links.js", JS, short_links_js),
    FILE("changes.js", JS, changes_js),
    FILE("counts.js", JS, counts_js),
    FILE("report.js", JS, report_js),
};

size_t console_page_file_count(void) { return sizeof files / sizeof files[0]; }

console_page_file console_page_file_at(size_t index) { return files[index]; }
