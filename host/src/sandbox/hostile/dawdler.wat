;; Lets the host work for it, and never ends.
(module
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start")
    (loop $again
      (drop (call $random (i32.const 0) (i32.const 65536)))
      (br $again))))
