export { type CallGate, createCallGate, type ToolCallName } from './call-gate.ts'
export { type ClosingText, createClosingText } from './closing-text.ts'
export { EMPTIED_ANSWER } from './emptied-answer.ts'
export { extendText } from './extend-text.ts'
