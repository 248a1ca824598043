# The front door. `make demo` and `make check` work on a fresh Debian 12 machine: they install what is
# missing (apt, by name; needs root for that) and build.
BUILD := build
NINJA := ninja -C $(BUILD)

.PHONY: all demo check stress bench install deps deps-demo clean
all: $(BUILD)/build.ninja
	@$(NINJA) --quiet

$(BUILD)/build.ninja: CMakeLists.txt | deps
	@cmake -S . -B $(BUILD) -G Ninja >/dev/null

deps:
	@tests/support/packages.sh build

demo: all
	@tests/support/demo.sh $(BUILD)/canon

check: all
	@tests/support/packages.sh check
	@tests/support/check.sh $(BUILD)

stress: all
	@tests/support/packages.sh stress
	@tests/support/packages.sh native
	@status=0; \
	tests/stress/run.sh $(BUILD)/canon || status=1; \
	tests/stress/threads.sh $(BUILD)/canon || status=1; \
	tests/stress/random.sh $(BUILD)/canon || status=1; \
	tests/stress/native.sh $(BUILD)/canon || status=1; \
	exit $$status

bench: all
	@tests/support/packages.sh stress
	@bench/run.sh $(BUILD)/canon
	@tests/support/packages.sh native
	@bench/native.sh $(BUILD)/canon

install: all
	@cmake --install $(BUILD)

clean:
	@rm -rf $(BUILD) $(BUILD)-*
