"""The tables go where an installed package has them; problems and templates, along."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

from ttt_runtime.files import PACKAGED

datas = [(PACKAGED, "ttt_runtime/data"), *collect_data_files("ttt_runtime.export")]
hiddenimports = collect_submodules("ttt_runtime.judge")
