;; Creates a file that it may create, and writes to it without end.
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 17)
  ;; 1,048,576 bytes at 64.
  (data (i32.const 0) "\40\00\00\00\00\00\10\00")
  (data (i32.const 16) "meta.properties.tmp")
  (func (export "_start")
    (if (call $path_open (i32.const 3) (i32.const 0) (i32.const 16) (i32.const 19)
          (i32.const 5) (i64.const 64) (i64.const 0) (i32.const 0) (i32.const 8))
      (then unreachable))
    (loop $again
      (drop (call $write (i32.load (i32.const 8)) (i32.const 0) (i32.const 1) (i32.const 12)))
      (br $again))))
