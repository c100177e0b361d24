# Sourced by tools/demo and tools/test: installs what is missing and builds. Leaves services, ports and users as they are.

say() { printf '%s\n' "$*" >&2; }

# What the programs are built with, by Debian package; compose/Dockerfile installs these.
build_packages=(
  g++ cmake ninja-build pkg-config ca-certificates
  protobuf-compiler libprotobuf-dev libprotoc-dev
  libnats-dev libpqxx-dev libpq-dev
  libspdlog-dev prometheus-cpp-dev libcli11-dev nlohmann-json3-dev libcpp-httplib-dev
  libssl-dev uuid-dev zlib1g-dev libbrotli-dev libzstd-dev
)

# What a first build, the demo and the packages need besides.
packages=(
  "${build_packages[@]}"
  nats-server postgresql graphviz
  libgtest-dev libgmock-dev libbenchmark-dev
  ccache mold dpkg-dev
)

# What the tests need besides: much, for a browser is among it.
test_packages=("${packages[@]}" chromium openssl prometheus man-db mandoc doxygen)

# The real readers of some formats come from npm; wherever node is from, it is good enough.
command -v npm >/dev/null || test_packages+=(nodejs npm)

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
  done
}

# Debian starts a server when its package is installed and makes a database cluster. Both are held off meanwhile.
install_quietly() {
  local root=() policy=/usr/sbin/policy-rc.d cluster=/etc/postgresql-common/createcluster.conf
  local own_policy= own_cluster= status=0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "Packages are missing and there is neither root nor sudo. As root: apt-get install $*"; return 2; }
    root=(sudo)
  fi
  [ -e "$policy" ] || { own_policy=1; printf '#!/bin/sh\nexit 101\n' | "${root[@]}" tee "$policy" >/dev/null; "${root[@]}" chmod 755 "$policy"; }
  [ -e "$cluster" ] || { own_cluster=1; "${root[@]}" mkdir -p "${cluster%/*}"; printf 'create_main_cluster = false\n' | "${root[@]}" tee "$cluster" >/dev/null; }
  {
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q &&
      "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends -o Dpkg::Options::=--force-confold "$@"
  } >"$setup_log" 2>&1 </dev/null || status=$?
  [ -z "$own_policy" ] || "${root[@]}" rm -f "$policy"
  [ -z "$own_cluster" ] || "${root[@]}" rm -f "$cluster"
  [ "$status" -eq 0 ] || { tail -n 15 "$setup_log" >&2; say "apt-get failed (above). Mend it and run this again."; return 2; }
}

# install_missing PACKAGE ...
install_missing() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  [ -r /etc/debian_version ] || { say "This is made for Debian 12 and 13; install by hand: ${missing[*]}"; return 2; }
  say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  install_quietly "${missing[@]}"
}

# build PRESET [TARGET ...]: progress on a terminal as ninja shows it, one line in a log.
build() {
  local preset=$1
  shift
  say "Building ($preset) with $(nproc) cores ..."
  cmake --preset "$preset" >"$setup_log" 2>&1 || { tail -n 30 "$setup_log" >&2; say "cmake failed (above)."; return 2; }
  if [ -t 2 ]; then
    ninja -C "build/$preset" "$@" >&2 || return 2
  else
    ninja -C "build/$preset" "$@" >"$setup_log" 2>&1 || { grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking)' "$setup_log" | tail -n 60 >&2; say "The build failed (above)."; return 2; }
  fi
}

# Everything temporary is below one folder, so that nothing stays behind even when a program is killed. PostgreSQL may run as
# another user, who has to be able to enter it.
workspace=$(mktemp -d)
chmod 755 "$workspace"
export TMPDIR=$workspace
setup_log=$workspace/setup.log
trap 'rm -rf "$workspace"' EXIT
