// A peer for the benchmark: the same job as the project's resolve endpoint, written as a Go team would
// write it with net/http and SQLite: parse the link, walk the screen graph, read the user's level,
// authorize every step and encode the navigation plan as JSON. scripts/bench measures it as it stands: the
// targets are ratios to it, so a change here changes their meaning.
package main

import (
	"database/sql"
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"

	_ "github.com/mattn/go-sqlite3"
)

type screen struct {
	name, presentation string
	level              int
	intParam           string
	children           map[string]*screen
	query              map[string]*screen
}

type step struct {
	Screen       string         `json:"screen"`
	Presentation string         `json:"presentation"`
	Params       map[string]any `json:"params"`
}

type plan struct {
	Link          string `json:"link"`
	RequiredLevel string `json:"requiredLevel"`
	Steps         []step `json:"steps"`
}

var levels = []string{"none", "onboardingCompleted", "signedInUser", "premiumUser"}

func catalogue() *screen {
	character := &screen{name: "character", presentation: "push", level: 2, intParam: "id"}
	sheet := &screen{name: "characterSheet", presentation: "sheet", level: 3}
	character.children = map[string]*screen{"character": character}
	character.query = map[string]*screen{"sheet": sheet}
	episode := &screen{name: "episode", presentation: "push", level: 2, intParam: "id"}
	episode.children = map[string]*screen{"episode": episode}
	return &screen{children: map[string]*screen{
		"onboarding": {name: "onboarding", presentation: "root", level: 0, children: map[string]*screen{"step1": {name: "step1", presentation: "push"}}},
		"login":      {name: "login", presentation: "root", level: 1, children: map[string]*screen{"registration": {name: "registration", presentation: "push", level: 1}}},
		"settings":   {name: "settings", presentation: "sheet", level: 2, children: map[string]*screen{"profile": {name: "profile", presentation: "push", level: 2}}},
		"characters": {name: "characters", presentation: "tab", level: 2, children: map[string]*screen{"character": character}},
		"episodes":   {name: "episodes", presentation: "tab", level: 2, children: map[string]*screen{"episode": episode}},
	}}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8090", "")
	path := flag.String("db", "peer.db", "")
	users := flag.Int("users", 100000, "")
	flag.Parse()
	db, err := sql.Open("sqlite3", "file:"+*path+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(runtime.NumCPU() * 2)
	if _, err = db.Exec("CREATE TABLE IF NOT EXISTS users(id TEXT PRIMARY KEY, level INTEGER NOT NULL) WITHOUT ROWID"); err != nil {
		log.Fatal(err)
	}
	var n int
	db.QueryRow("SELECT count(*) FROM users").Scan(&n)
	if n < *users {
		tx, _ := db.Begin()
		for i := 0; i < *users; i++ {
			tx.Exec("INSERT OR REPLACE INTO users VALUES(?,?)", "u"+strconv.Itoa(i), 3)
		}
		tx.Commit()
	}
	get, err := db.Prepare("SELECT level FROM users WHERE id=?")
	if err != nil {
		log.Fatal(err)
	}
	root := catalogue()
	fail := func(w http.ResponseWriter, code int, title string) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(code)
		json.NewEncoder(w).Encode(map[string]any{"title": title, "status": code})
	}
	http.HandleFunc("/v1/resolve", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		link, err := url.Parse(q.Get("link"))
		if err != nil {
			fail(w, 400, "malformed link")
			return
		}
		level := 0
		if err := get.QueryRow(q.Get("user")).Scan(&level); err != nil && err != sql.ErrNoRows {
			fail(w, 500, err.Error())
			return
		}
		at, required, steps := root, 0, make([]step, 0, 4)
		parts := strings.Split(strings.Trim(link.Path, "/"), "/")
		for i := 0; i < len(parts); i++ {
			next := at.children[parts[i]]
			if next == nil {
				fail(w, 404, "no such screen")
				return
			}
			s := step{next.name, next.presentation, map[string]any{}}
			if next.intParam != "" {
				i++
				if i >= len(parts) {
					fail(w, 404, "missing parameter")
					return
				}
				v, err := strconv.Atoi(parts[i])
				if err != nil {
					fail(w, 422, "not an integer")
					return
				}
				s.Params[next.intParam] = v
			}
			steps = append(steps, s)
			if next.level > required {
				required = next.level
			}
			at = next
		}
		lq := link.Query()
		for key, s := range at.query {
			if lq.Has(key) {
				steps = append(steps, step{s.name, s.presentation, map[string]any{"title": lq.Get(key)}})
				if s.level > required {
					required = s.level
				}
			}
		}
		if level < required {
			fail(w, 403, "requires "+levels[required])
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(plan{q.Get("link"), levels[required], steps})
	})
	http.HandleFunc("/hello", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) })
	log.Fatal(http.ListenAndServe(*addr, nil))
}
