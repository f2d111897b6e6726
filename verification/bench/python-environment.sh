# Sourced by the scripts that install a peer of a benchmark.

# Versions of pyenv are not in PATH under their own names.
pyenv_pythons() { ls -d "$(pyenv root 2>/dev/null)"/versions/3.1[1-9]*/bin/python3 2>/dev/null | sort -Vr || true; }

install_with() { # Python executable, folder, modules that must be importable, packages and options of pip
  local python=$1 folder=$2 modules=$3
  shift 3
  "$python" -c 'import ensurepip, venv' 2>/dev/null || return 1
  rm -rf "$folder"
  "$python" -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@" &&
    "$folder/bin/python" -c "import $modules"
}

# Creates a virtual environment with the newest Python that can install the packages. Wheels are published some time after
# a new Python, so each version is tried until one works.
make_environment() { # folder, modules that must be importable, packages and options of pip
  local python
  for python in python3.14 python3.13 python3.12 $(pyenv_pythons) python3 /usr/bin/python3; do
    if install_with "$python" "$@"; then return 0; fi
  done
  echo "no installed Python can import $2" >&2
  return 1
}

# The same, unless the folder has exactly these packages already.
ensure_environment() { # folder, modules that must be importable, packages with their versions
  local folder=$1 modules=$2
  shift 2
  [ "$(cat "$folder/installed" 2>/dev/null)" != "$*" ] || return 0
  rm -rf "$folder"
  make_environment "$folder" "$modules" "$@" >&2
  echo "$*" >"$folder/installed"
}
