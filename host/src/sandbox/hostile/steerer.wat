;; Prints what steers a terminal: an escape sequence, and one of the control
;; characters beyond ASCII in two calls.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\20\00\00\00\07\00\00\00\27\00\00\00\06\00\00\00")
  (data (i32.const 32) "a\1b[2Jb\c2\9bc\7f\c3\a9\n")
  (func (export "_start")
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))
    (drop (call $write (i32.const 1) (i32.const 8) (i32.const 1) (i32.const 16)))))
