export { createJsonEdits, type JsonEdits } from './json-edits.ts'
export { type JsonShape, type JsonSpan, memberOf } from './json-span.ts'
export { type JsonBody, readJson } from './read-json.ts'
export { spliceBytes } from './splice-bytes.ts'
