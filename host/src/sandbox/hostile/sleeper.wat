;; Sleeps for an hour, and ends with the error number of the attempt.
(module
  (import "wasi_snapshot_preview1" "poll_oneoff"
    (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  ;; A subscription to the monotonic clock, in 3,600,000,000,000 ns.
  (data (i32.const 16) "\01\00\00\00\00\00\00\00\00\a0\b8\30\46\03\00\00")
  (func (export "_start")
    (call $proc_exit
      (call $poll_oneoff (i32.const 0) (i32.const 64) (i32.const 1) (i32.const 128)))))
