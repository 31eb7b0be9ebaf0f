"""Run the command ``pres-eval`` as ``python -m pres_plugin``."""

from pres_plugin.cli import main

if __name__ == "__main__":
    main()
