# make demo        the whole thing in two minutes
# make test        all tests but the long ones          (ARGS="-k name" goes to pytest)
# make test-fast   two minutes of tests
# make test-full   everything; the result goes to tests/full-run.md
# make test-versions  fast tests and fault tests, with each other PySpark and Python
#                                                       (ARGS="pyspark-4.1 --smoke" or --fast)
# make bench       the measurements, in 15 minutes      (ARGS="..." goes to python -m benchmarks)
# make lint        ruff, mypy and the layers of imports
# make docs        the site of docs/, in site/; checks links and code
# make release-check  builds wheel and sdist, and tries the wheel in an environment of its own
# make clean       removes what the targets made
#
# Every target makes .venv and installs what it needs first. PYTHON=/path/to/python chooses the
# Python, JAVA_HOME=/path/to/jdk the Java.

PYTHON ?=
# only from the command line: `make clean` removes it, whatever it is
VENV := .venv
ARGS :=

BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-full test-versions bench lint docs release-check clean venv java

help:
	@sed -n '/^#/!q;s/^#[ ]\{0,1\}//p' $(firstword $(MAKEFILE_LIST))

venv: $(STAMP)

# The stamp is written last, so an installation that was broken off is done again.
$(STAMP): pyproject.toml scripts/check_prereqs.sh
	@set -e; \
	python=$$(PYTHON="$(PYTHON)" sh scripts/check_prereqs.sh python); \
	echo "making $(VENV) with $$python"; \
	"$$python" -m venv --clear "$(VENV)"; \
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --editable '.[dev]'; \
	touch "$@"

java:
	@sh scripts/check_prereqs.sh java

demo: java $(STAMP)
	@$(BIN)/python scripts/demo.py $(ARGS)

test: java $(STAMP)
	$(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder -m "not full" $(ARGS)

test-fast: java $(STAMP)
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder -m "not slow and not full" $(ARGS)

test-full: java $(STAMP)
	DSTREAM_COMPAT_FULL=1 $(BIN)/python scripts/test_full.py $(ARGS)

test-versions: java $(STAMP)
	$(BIN)/python scripts/test_versions.py $(ARGS)

bench: java $(STAMP)
	$(BIN)/python -m benchmarks $(ARGS)

# All of them run, so that one report has everything.
lint: $(STAMP)
	@status=0; \
	$(BIN)/ruff check . || status=1; \
	$(BIN)/ruff format --check . || status=1; \
	$(BIN)/mypy --strict -p dstream_compat -p migrator -p benchmarks || status=1; \
	$(BIN)/lint-imports || status=1; \
	exit $$status

# The theme's advertisement is no warning of the build.
docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --clean
	$(BIN)/python -m pytest -q tests/docs/test_links.py tests/docs/test_code_blocks.py

release-check: java $(STAMP)
	$(BIN)/python scripts/release_check.py $(ARGS)

clean:
	rm -rf "$(VENV)" .venvs build dist site *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis \
		.import_linter_cache spark-warehouse metastore_db derby.log artifacts checkpoint \
		windowed-checkpoint
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
