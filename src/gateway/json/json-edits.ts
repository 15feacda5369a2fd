import type { JsonSpan } from './json-span.ts'
import { memberOf } from './json-span.ts'
import type { ByteEdit } from './splice-bytes.ts'

/** Collects edits of a parsed body, and returns the bytes to change. `json` is always JSON text. */
export interface JsonEdits {
  replace(value: JsonSpan, json: string): void
  /** Replaces the member's value, or adds the member after the others. */
  setMember(object: JsonSpan, key: string, json: string): void
  removeMember(object: JsonSpan, key: string): void
  appendElement(array: JsonSpan, json: string): void
  removeElement(array: JsonSpan, index: number): void
  /** Appends `text`, which is not JSON, to a string. */
  appendText(string: JsonSpan, text: string): void
  /** Edits that were computed before, of values that nothing else changes. */
  include(edits: readonly ByteEdit[]): void
  /** In no particular order. Nothing may be changed inside of what is removed or replaced. */
  toByteEdits(): ByteEdit[]
}

interface ContainerChanges {
  readonly removed: Set<number>
  readonly appended: string[]
}

/** Edits of one body. A container that loses and gains entries keeps its commas right. */
export function createJsonEdits(): JsonEdits {
  const edits: ByteEdit[] = []
  const containers = new Map<JsonSpan, ContainerChanges>()
  const changesOf = (container: JsonSpan) => {
    let changes = containers.get(container)
    if (changes === undefined) {
      changes = { removed: new Set(), appended: [] }
      containers.set(container, changes)
    }
    return changes
  }
  const replace = ({ start, end }: JsonSpan, json: string) => void edits.push({ start, end, text: json })
  return {
    replace,
    setMember(object, key, json) {
      const value = memberOf(object, key)
      if (value !== null) replace(value, json)
      else changesOf(object).appended.push(`${JSON.stringify(key)}:${json}`)
    },
    removeMember(object, key) {
      const index = object.members.findIndex((member) => member.key === key)
      if (index !== -1) changesOf(object).removed.add(index)
    },
    appendElement: (array, json) => void changesOf(array).appended.push(json),
    removeElement: (array, index) => void changesOf(array).removed.add(index),
    appendText: ({ end }, text) =>
      void edits.push({ start: end - 1, end: end - 1, text: JSON.stringify(text).slice(1, -1) }),
    include(found) {
      for (const edit of found) edits.push(edit)
    },
    toByteEdits() {
      const found = [...edits]
      for (const [container, changes] of containers) found.push(...editsOf(container, changes))
      return found
    },
  }
}

interface Entry {
  readonly start: number
  readonly end: number
}

/** The bytes between the remaining entries, wherever something is added or removed. */
function editsOf(container: JsonSpan, { removed, appended }: ContainerChanges): readonly ByteEdit[] {
  const entries: Entry[] = [...container.elements]
  for (const { keyStart, value } of container.members) entries.push({ start: keyStart, end: value.end })
  const edits: ByteEdit[] = []
  let before: Entry | null = null
  let isGap = false
  for (const [index, entry] of entries.entries()) {
    if (removed.has(index)) {
      isGap = true
      continue
    }
    if (isGap)
      edits.push({ start: before?.end ?? container.start + 1, end: entry.start, text: before === null ? '' : ',' })
    before = entry
    isGap = false
  }
  if (appended.length === 0 && !isGap) return edits
  const start = before?.end ?? container.start + 1
  const comma = before === null || appended.length === 0 ? '' : ','
  edits.push({ start, end: isGap ? container.end - 1 : start, text: `${comma}${appended.join(',')}` })
  return edits
}
