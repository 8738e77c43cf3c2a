;; Does one thing with the first directory that it is given (3), and ends with
;; the error number of the attempt. Its arguments are the letter of what to do
;; and one or two paths.
(module
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_get" (func $args (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_unlink_file" (func $unlink (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_remove_directory" (func $rmdir (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_create_directory" (func $mkdir (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_rename"
    (func $rename (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_symlink" (func $symlink (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_link"
    (func $link (param i32 i32 i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_readlink"
    (func $readlink (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_filestat_get" (func $status (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_filestat_set_times"
    (func $path_times (param i32 i32 i32 i32 i64 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_readdir" (func $readdir (param i32 i32 i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_filestat_set_size" (func $resize (param i32 i64) (result i32)))
  (import "wasi_snapshot_preview1" "fd_filestat_set_times" (func $times (param i32 i64 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_allocate" (func $allocate (param i32 i64 i64) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_sync" (func $sync (param i32) (result i32)))
  (memory (export "memory") 2)

  ;; At 0 are numbers that calls return, at 64 the buffer for a call, at 1024
  ;; the pointers to the arguments, and at 4096 the arguments. The buffer is
  ;; described at 32.
  (data (i32.const 32) "\40\00\00\00\10\00\00\00")
  (data (i32.const 64) "sixteen of bytes")

  (func $argument (param $number i32) (result i32)
    (i32.load (i32.add (i32.const 1024) (i32.mul (local.get $number) (i32.const 4)))))
  (func $length (param $text i32) (result i32) (local $end i32)
    (local.set $end (local.get $text))
    (block $found
      (loop $next
        (br_if $found (i32.eqz (i32.load8_u (local.get $end))))
        (local.set $end (i32.add (local.get $end) (i32.const 1)))
        (br $next)))
    (i32.sub (local.get $end) (local.get $text)))

  ;; Opens the first path: how, with which rights (2 reads, 64 writes), and with
  ;; which flags. Links are followed.
  (func $open (param $how i32) (param $rights i64) (param $flags i32) (result i32)
    (call $path_open (i32.const 3) (i32.const 1)
      (call $argument (i32.const 2)) (call $length (call $argument (i32.const 2)))
      (local.get $how) (local.get $rights) (i64.const 0) (local.get $flags) (i32.const 8)))
  ;; Opens the first path as a file to read, or ends.
  (func $file (result i32) (local $error i32)
    (local.set $error (call $open (i32.const 0) (i64.const 2) (i32.const 0)))
    (if (local.get $error) (then (call $exit (local.get $error))))
    (i32.load (i32.const 8)))
  ;; Opens the first path as a directory, or ends.
  (func $directory (result i32) (local $error i32)
    (local.set $error (call $open (i32.const 2) (i64.const 2) (i32.const 0)))
    (if (local.get $error) (then (call $exit (local.get $error))))
    (i32.load (i32.const 8)))
  (func $asked (param $letter i32) (result i32)
    (i32.eq (i32.load8_u (call $argument (i32.const 1))) (local.get $letter)))

  (func (export "_start") (local $path i32) (local $length i32) (local $other i32) (local $rest i32)
    (drop (call $args_sizes (i32.const 0) (i32.const 4)))
    (drop (call $args (i32.const 1024) (i32.const 4096)))
    (local.set $path (call $argument (i32.const 2)))
    (local.set $length (call $length (local.get $path)))
    (if (i32.gt_u (i32.load (i32.const 0)) (i32.const 3)) (then
      (local.set $other (call $argument (i32.const 3)))
      (local.set $rest (call $length (local.get $other)))))

    ;; r: open to read; w: to write; t: and truncate; a: to append;
    ;; c: create; C: create or open
    (if (call $asked (i32.const 0x72)) (then
      (call $exit (call $open (i32.const 0) (i64.const 2) (i32.const 0)))))
    (if (call $asked (i32.const 0x77)) (then
      (call $exit (call $open (i32.const 0) (i64.const 64) (i32.const 0)))))
    (if (call $asked (i32.const 0x74)) (then
      (call $exit (call $open (i32.const 8) (i64.const 64) (i32.const 0)))))
    (if (call $asked (i32.const 0x61)) (then
      (call $exit (call $open (i32.const 0) (i64.const 64) (i32.const 1)))))
    (if (call $asked (i32.const 0x63)) (then
      (call $exit (call $open (i32.const 5) (i64.const 64) (i32.const 0)))))
    (if (call $asked (i32.const 0x43)) (then
      (call $exit (call $open (i32.const 1) (i64.const 66) (i32.const 0)))))
    ;; l: list
    (if (call $asked (i32.const 0x6c)) (then
      (call $exit (call $readdir (call $directory) (i32.const 64) (i32.const 512) (i64.const 0) (i32.const 0)))))
    ;; u: remove a file; d: remove a directory; m: make a directory; n: rename
    (if (call $asked (i32.const 0x75)) (then
      (call $exit (call $unlink (i32.const 3) (local.get $path) (local.get $length)))))
    (if (call $asked (i32.const 0x64)) (then
      (call $exit (call $rmdir (i32.const 3) (local.get $path) (local.get $length)))))
    (if (call $asked (i32.const 0x6d)) (then
      (call $exit (call $mkdir (i32.const 3) (local.get $path) (local.get $length)))))
    (if (call $asked (i32.const 0x6e)) (then
      (call $exit (call $rename (i32.const 3) (local.get $path) (local.get $length)
        (i32.const 3) (local.get $other) (local.get $rest)))))
    ;; N: rename into the second directory
    (if (call $asked (i32.const 0x4e)) (then
      (call $exit (call $rename (i32.const 3) (local.get $path) (local.get $length)
        (i32.const 4) (local.get $other) (local.get $rest)))))
    ;; s: symbolic link; h: hard link; k: read a link; i: status
    (if (call $asked (i32.const 0x73)) (then
      (call $exit (call $symlink (local.get $path) (local.get $length)
        (i32.const 3) (local.get $other) (local.get $rest)))))
    (if (call $asked (i32.const 0x68)) (then
      (call $exit (call $link (i32.const 3) (i32.const 0) (local.get $path) (local.get $length)
        (i32.const 3) (local.get $other) (local.get $rest)))))
    (if (call $asked (i32.const 0x6b)) (then
      (call $exit (call $readlink (i32.const 3) (local.get $path) (local.get $length)
        (i32.const 64) (i32.const 512) (i32.const 0)))))
    (if (call $asked (i32.const 0x69)) (then
      (call $exit (call $status (i32.const 3) (i32.const 1) (local.get $path) (local.get $length)
        (i32.const 128)))))
    ;; T: set the times of a path; F: of an open file; z: its size; A: its space
    (if (call $asked (i32.const 0x54)) (then
      (call $exit (call $path_times (i32.const 3) (i32.const 1) (local.get $path) (local.get $length)
        (i64.const 0) (i64.const 0) (i32.const 5)))))
    (if (call $asked (i32.const 0x46)) (then
      (call $exit (call $times (call $file) (i64.const 0) (i64.const 0) (i32.const 5)))))
    (if (call $asked (i32.const 0x7a)) (then
      (call $exit (call $resize (call $file) (i64.const 0)))))
    (if (call $asked (i32.const 0x41)) (then
      (call $exit (call $allocate (call $file) (i64.const 0) (i64.const 4096)))))
    ;; W: write to a file that is open to read; S: sync it
    (if (call $asked (i32.const 0x57)) (then
      (call $exit (call $write (call $file) (i32.const 32) (i32.const 1) (i32.const 0)))))
    (if (call $asked (i32.const 0x53)) (then
      (call $exit (call $sync (call $file)))))
    ;; I: read into more buffers than there is memory for
    (if (call $asked (i32.const 0x49)) (then
      (call $exit (call $read (call $file) (i32.const 32) (i32.const 0x1fffffff) (i32.const 0)))))
    unreachable))
