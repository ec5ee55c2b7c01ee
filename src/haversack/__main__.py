"""Run the command line, or say what it needs."""

from __future__ import annotations

import sys


def main() -> None:
    """Run `haversack`, whose command line is an extra: the library itself needs nothing."""
    try:
        from haversack.cli import main as run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("typer", "rich"):
            raise
        sys.stderr.write(f"haversack: the command line needs {error.name}: pip install 'haversack[cli]'\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
