# Everything that is done with this repository. make help lists it.

GO ?= go
GOFMT_DIRS := cmd fsstore golden schema tools
SERVER := bin/acc-mcp
INTEROP := cmd/acc-mcp/testdata/interop
PROGRAMS := $(filter-out ./cmd/acc-demo,$(wildcard ./cmd/*))

# Tests that write golden files, schemas and reference pages under -update.
GENERATED := Golden|Answers|Schema|Reference|Declarations|Transcript|RoomTree|Docs

.DEFAULT_GOAL := help
.PHONY: help build install test powercut nightly lint cross bench interop e2e demo generate clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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

nightly: ## 2,000 kills, ten minutes of soak, 100,000 calls, 500 power cuts on each file system
	$(GO) test -count=1 -timeout=30m -v -run '^(TestKilledWriters|TestNoWriterWaitsLong)$$' ./fsstore -kills=2000 -turns=100
	$(GO) test -count=1 -timeout=40m -v -run '^(TestSoak|TestNothingIsLeft)$$' ./cmd/acc-mcp -soak=10m -calls=100000
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

# How often each thing is measured in rooms of each size.
SAMPLES := 200

# Each package has a directory at the top of the file system, where it can be
# had: ext4 places them apart, and it is slow for minutes to make files where
# many were removed. A run that fails or is not whole leaves docs/ as it is.
bench: ## measure, and write docs/measurements.md (MILLION=1: one room more)
	@out="$$(mktemp)"; trap 'rm -f "$$out"' EXIT; \
	{ dirs=""; trap 'rm -rf $$dirs' EXIT; \
	  new() { TMPDIR="$$(mktemp -d /acc-bench.XXXXXX 2>/dev/null || mktemp -d)"; export TMPDIR; dirs="$$dirs $$TMPDIR"; }; \
	  new; echo "filesystem: $$(df -PT "$$TMPDIR" 2>/dev/null | awk 'END { print $$2 }')"; \
	  $(GO) test -run '^$$' -bench . -benchtime $(SAMPLES)x -timeout 60m ./tools/scale $(if $(MILLION),-acc.million); \
	  for p in $$($(GO) list ./... | grep -v '/tools/scale$$'); do new; $(GO) test -run '^$$' -bench . "$$p"; done; \
	} | tee "$$out"; \
	$(GO) run ./golden/benchreport -docs docs < "$$out"

interop: build ## drive acc-mcp with the TypeScript SDKs (needs Node 20)
	npm --prefix $(INTEROP) ci --silent
	node $(INTEROP)/interop.mjs $(SERVER)

# Which clients, as folders below testdata/clients; they come from npm, 0.1 to
# 0.4 GB each. ACC_E2E_CLIENTS names a folder in which they lie already.
CLIENTS := claude,claude-latest,codex,gemini,qwen,opencode
E2E := cmd/acc/e2e

# WRITE=1 records what was observed, and the table in the docs.
e2e: ## drive real coding agents, such as CLIENTS=claude,codex (needs Node 20)
	@[ -n "$$ACC_E2E_CLIENTS" ] || for client in $$(echo $(CLIENTS) | tr ',' ' '); do \
	  npm --prefix $(E2E)/testdata/clients/$$client install --no-save --silent || exit; done
	ACC_E2E=$(CLIENTS) ACC_E2E_REQUIRED=1 $(GO) test -count=1 -timeout=30m ./$(E2E) $(if $(WRITE),-evidence)
	$(if $(WRITE),$(GO) test -run '^TestDocs$$' ./$(E2E) -update)

demo: build ## tell a story with three agents in a scratch repository below demo/
	@bin/acc-demo -server $(SERVER) -in demo

# Only packages whose tests compare with golden files know the flag.
generate: ## write golden files, schemas and reference pages anew
	$(GO) test -run '$(GENERATED)' $$($(GO) list -f \
	  '{{range .TestImports}}{{if eq . "acc/golden"}}{{$$.ImportPath}} {{end}}{{end}}{{range .XTestImports}}{{if eq . "acc/golden"}}{{$$.ImportPath}} {{end}}{{end}}' \
	  ./... | tr ' ' '\n' | sort -u) -update

clean: ## remove what was built and the repositories of demos
	rm -rf bin demo $(INTEROP)/node_modules $(E2E)/testdata/clients/*/node_modules
