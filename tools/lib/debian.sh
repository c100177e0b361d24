# Sourced by tools/test after setup.sh: a fresh root of a Debian release, made by debootstrap, to run something in.

# release_name 13: its code name.
release_name() {
  case $1 in
    12) echo bookworm ;;
    13) echo trixie ;;
    *) say "Debian $1 is not one this is made for: 12 or 13"; return 2 ;;
  esac
}

# make_root RELEASE FOLDER: a minimal system, unless one is there from before.
make_root() {
  local name
  name=$(release_name "$1") || return 2
  [ ! -e "$2/etc/debian_version" ] || return 0
  [ "$(id -u)" -eq 0 ] || { say "A Debian root is made by root only: sudo tools/test --debian $1"; return 2; }
  command -v debootstrap >/dev/null || install_quietly debootstrap || return 2
  say "Making a root of Debian $1 ..."
  debootstrap --variant=minbase "$name" "$2" ${QUADRILLE_DEBIAN_MIRROR:+"$QUADRILLE_DEBIAN_MIRROR"} >"$setup_log" 2>&1 ||
    { tail -n 15 "$setup_log" >&2; say "debootstrap failed (above). QUADRILLE_DEBIAN_MIRROR names another mirror."; return 2; }
  # Nobody keeps it through a power cut, so packages need not wait for the disk.
  echo force-unsafe-io >"$2/etc/dpkg/dpkg.cfg.d/unsafe-io"
}

# copy_tree FOLDER: what git knows of this tree and what is new in it, without builds. Of an older copy only builds stay.
copy_tree() {
  mkdir -p "$1"
  find "$1" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  git ls-files --cached --others --exclude-standard -z | tar --null --ignore-failed-read --files-from=- -c | tar -x -C "$1"
}

# in_root FOLDER COMMAND...: runs it there. The mounts are in a namespace of their own and go with it, as do all processes.
in_root() {
  local root=$1
  shift
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  unshare --mount --pid --fork --kill-child bash -ec '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/dev/shm"
    exec chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
  ' in_root "$root" "$@"
}
