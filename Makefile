# The two commands of the README, and what they need.

.PHONY: help run test test-kafka build wasm wasm-target check lint docs fuzz clean

CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)
WASM := $(TARGET)/krabka-format.wasm
GUEST := $(TARGET)/guest/wasm32-wasip1/wasm/krabka-format-guest.wasm

help:
	@echo "make run ARGS='…'   build what is missing, and run krabka-format with these arguments"
	@echo "make test           run every test that needs no JVM"
	@echo "make test-kafka     hold it against the real Apache Kafka; needs a JDK and Maven"
	@echo "make wasm           build $(WASM)"
	@echo "make fuzz FUZZ=…    look for bytes that break a target of tests/fuzz, for SECONDS=…"
	@echo "make lint           check formatting, lints and docs"

# Built first, so that a long build is seen to go on, and what the program
# prints stands alone.
run: build
	@$(CARGO) run --quiet --release --locked -- $(ARGS)

build: wasm-target
	@$(CARGO) build --release --locked

# The guest that the host embeds is the .wasm form.
wasm: build
	cp $(GUEST) $(WASM)

test: wasm
	scripts/test-runtimes || test -z "$$CI"
	$(CARGO) test --release --locked --workspace --exclude krabka-format-kafka-tests

# The judge is not in the workspace's tests: it needs a JVM, and is fetched.
test-kafka: wasm
	scripts/kafka
	$(CARGO) test --release --locked -p krabka-format-kafka-tests

lint: wasm-target
	$(CARGO) fmt --check
	KRABKA_FORMAT_SKIP_GUEST=1 $(CARGO) clippy --release --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --release --locked -p krabka-format-cli --target wasm32-wasip1 -- -D warnings
	KRABKA_FORMAT_SKIP_GUEST=1 RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --locked --workspace --no-deps
	scripts/no-std-check

# Needs cargo-fuzz (cargo install cargo-fuzz). What it finds is copied to the
# corpus of the target, which make test replays.
FUZZ := runs
SECONDS := 600
fuzz:
	cd tests/fuzz && RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --fuzz-dir . --sanitizer none $(FUZZ) -- -max_total_time=$(SECONDS)

wasm-target:
	@scripts/wasm-target

clean:
	$(CARGO) clean
