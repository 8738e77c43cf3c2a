;; Aborts, as a guest that panics does.
(module
  (memory (export "memory") 1)
  (func (export "_start") unreachable))
