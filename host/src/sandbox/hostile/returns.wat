;; Ends without an exit code.
(module
  (memory (export "memory") 1)
  (func (export "_start")))
