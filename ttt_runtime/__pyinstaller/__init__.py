"""What PyInstaller must know to freeze a program that uses this package."""

import os


def get_hook_dirs() -> list[str]:
    """Return where the hook is; PyInstaller finds this by an entry point."""
    return [os.path.dirname(__file__)]
