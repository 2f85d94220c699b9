# Everything that is done with this repository. make help lists it.

GO ?= go
GOFMT_DIRS := cmd fsstore golden schema tools
SERVER := bin/acc-mcp
INTEROP := cmd/acc-mcp/testdata/interop
PROGRAMS := $(filter-out ./cmd/acc-demo,$(wildcard ./cmd/*))

# Tests that write golden files, schemas and reference pages under -update.
GENERATED := Golden|Answers|Schema|Reference|Declarations|Transcript|RoomTree|Docs

.DEFAULT_GOAL := help
.PHONY: help build install test lint cross bench interop demo generate clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the programs into bin/
	$(GO) build -o bin/ ./cmd/...

install: ## install the programs where go install puts them
	$(GO) install $(PROGRAMS)

# The sweeps fail or cut the power at every operation in turn. They have one
# goroutine, so the race detector has nothing to find in them and takes long.
SWEEPS := PowerCut|KillAnywhere|KillBesideOthers|DiskFails

test: ## run every Go test, then again with the race detector
	$(GO) test ./...
	$(GO) test -race -skip '$(SWEEPS)' ./...

lint: cross ## gofmt, go vet and staticcheck, and vet for Windows and macOS
	@unformatted="$$(gofmt -l $(GOFMT_DIRS))"; \
	if [ -n "$$unformatted" ]; then echo "gofmt -w is needed for:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# Vet compiles the tests too, which a build does not.
cross:
	GOOS=windows $(GO) build ./...
	GOOS=darwin $(GO) build ./...
	GOOS=windows $(GO) vet ./...
	GOOS=darwin $(GO) vet ./...

# A directory at the top of the file system, where it can be had: ext4 places
# it away from where many files were removed, which would slow down new ones.
bench: ## measure
	@dir="$$(mktemp -d /acc-bench.XXXXXX 2>/dev/null || mktemp -d)"; \
	trap 'rm -rf "$$dir"' EXIT; \
	TMPDIR="$$dir" $(GO) test -run '^$$' -bench . ./...

interop: build ## drive acc-mcp with the TypeScript SDKs (needs Node 20)
	npm --prefix $(INTEROP) ci --silent
	node $(INTEROP)/interop.mjs $(SERVER)

demo: build ## tell a story with three agents in a scratch repository below demo/
	@bin/acc-demo -server $(SERVER) -in demo

# Only packages whose tests compare with golden files know the flag.
generate: ## write golden files, schemas and reference pages anew
	$(GO) test -run '$(GENERATED)' -update $$($(GO) list -f \
	  '{{range .TestImports}}{{if eq . "acc/golden"}}{{$$.ImportPath}} {{end}}{{end}}{{range .XTestImports}}{{if eq . "acc/golden"}}{{$$.ImportPath}} {{end}}{{end}}' \
	  ./... | tr ' ' '\n' | sort -u)

clean: ## remove what was built and the repositories of demos
	rm -rf bin demo $(INTEROP)/node_modules
