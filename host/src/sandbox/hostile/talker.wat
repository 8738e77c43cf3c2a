;; Prints without end: to standard output, or, given an argument, to standard
;; error.
(module
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 2)
  ;; 65,536 bytes at 16.
  (data (i32.const 0) "\10\00\00\00\00\00\01\00")
  (func (export "_start")
    (drop (call $args_sizes (i32.const 8) (i32.const 12)))
    (loop $again
      (drop (call $write (i32.load (i32.const 8)) (i32.const 0) (i32.const 1) (i32.const 12)))
      (br $again))))
