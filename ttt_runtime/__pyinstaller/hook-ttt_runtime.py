"""The tables go where an installed package has them, and the judge's problems along."""

from PyInstaller.utils.hooks import collect_submodules

from ttt_runtime.files import PACKAGED

datas = [(PACKAGED, "ttt_runtime/data")]
hiddenimports = collect_submodules("ttt_runtime.judge")
