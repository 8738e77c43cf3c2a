;; Takes a MiB of memory for as long as it gets one.
(module
  (memory (export "memory") 1)
  (func (export "_start")
    (loop $again
      (br_if $again (i32.ge_s (memory.grow (i32.const 16)) (i32.const 0))))))
