# Everything that is done with this repository. make help lists it.

GO ?= go
GOFMT_DIRS := cmd fsstore golden schema tools
SERVER := bin/acc-mcp
INTEROP := cmd/acc-mcp/testdata/interop
PROGRAMS := $(filter-out ./cmd/acc-demo,$(wildcard ./cmd/*))

# Tests that write golden files, schemas and reference pages under -update.
GENERATED := Golden|Answers|Schema|Reference|Declarations|Transcript|RoomTree|Docs

.DEFAULT_GOAL := help
.PHONY: help build install test powercut nightly lint cross bench interop demo generate clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the programs into bin/
	$(GO) build -o bin/ ./cmd/...

install: ## install the programs where go install puts them
	$(GO) install $(PROGRAMS)

# The sweeps fail or cut the power at every operation in turn. They have one
# goroutine, so the race detector has nothing to find in them and takes long.
SWEEPS := PowerCut|KillAnywhere|KillBesideOthers|DiskFails

# The scripts of the command line start a program a line, each of which the
# detector makes slow; what runs side by side in it is tested in tools/.
test: ## run every Go test, then again with the race detector
	$(GO) test ./...
	$(GO) test -race -skip '$(SWEEPS)' $$($(GO) list ./... | grep -v '/cmd/acc$$')

# Rounds of power cuts on each file system. None takes ten seconds.
CUTS := 40

# Where ACC_POWERCUT_REQUIRED is set, not to run is to fail. What is mounted is
# so in a namespace of its own, and goes with the test however that ends.
powercut: ## cut the power of ext4 and xfs beneath a room (Linux, root)
	@if [ "$$(uname) $$(id -u)" != "Linux 0" ]; then \
	  echo "*** NOT RUN: power cuts need Linux and root ***"; [ -z "$$ACC_POWERCUT_REQUIRED" ]; exit; fi; \
	$(GO) test -tags powercut -exec 'unshare --mount' -count=1 -timeout=$(CUTS)0s -v -run '^TestPowerCuts$$' ./fsstore -powercuts=$(CUTS)

nightly: ## 2,000 kills and 500 rounds of power cuts on each file system
	$(GO) test -count=1 -timeout=30m -v -run '^TestKilledWriters$$' ./fsstore -kills=2000
	$(MAKE) powercut CUTS=500

lint: cross ## gofmt, go vet and staticcheck, and vet for Windows and macOS
	@unformatted="$$(gofmt -l $(GOFMT_DIRS))"; \
	if [ -n "$$unformatted" ]; then echo "gofmt -w is needed for:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags powercut ./fsstore
	$(GO) tool staticcheck ./...
	$(GO) tool staticcheck -tags powercut ./fsstore

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
