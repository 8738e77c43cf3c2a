;; Opens its directory again and again, and closes nothing.
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) ".")
  (func (export "_start")
    (loop $again
      (drop (call $path_open (i32.const 3) (i32.const 0) (i32.const 16) (i32.const 1)
        (i32.const 2) (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 8)))
      (br $again))))
