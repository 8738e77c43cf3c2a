;; Grows its table for as long as it may.
(module
  (memory (export "memory") 1)
  (table $table 1 funcref)
  (func (export "_start")
    (loop $again
      (br_if $again
        (i32.ge_s (table.grow $table (ref.null func) (i32.const 1000)) (i32.const 0))))))
