export { createJsonlSink, type JsonlSink, type JsonlSinkOptions, type JsonlSinkStats } from './jsonl-sink.ts'
export type { LogFileHandle, OpenLogFile } from './log-file.ts'
export type { SinkProblem } from './problem-reporter.ts'
