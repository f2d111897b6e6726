# Sourced by the scripts beside the benchmarks that install a peer.

# Those of pyenv are not in the path by their names.
of_pyenv() { ls -d "$(pyenv root 2>/dev/null)"/versions/3.1[1-9]*/bin/python3 2>/dev/null | sort -Vr || true; }

install_with() { # program of Python, folder, modules that must import then, packages and options of pip
  local python=$1 folder=$2 modules=$3
  shift 3
  "$python" -c 'import ensurepip, venv' 2>/dev/null || return 1
  rm -rf "$folder"
  "$python" -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@" &&
    "$folder/bin/python" -c "import $modules"
}

# A virtual environment of the newest Python here that takes the packages. Wheels for a new Python come a while after it:
# each is tried until one works.
make_environment() { # folder, modules that must import then, packages and options of pip
  local python
  for python in python3.14 python3.13 python3.12 $(of_pyenv) python3 /usr/bin/python3; do
    if install_with "$python" "$@"; then return 0; fi
  done
  echo "no Python here takes $2" >&2
  return 1
}
