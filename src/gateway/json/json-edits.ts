import type { JsonSpan } from './json-span.ts'
import { memberOf } from './json-span.ts'
import type { ByteEdit } from './splice-bytes.ts'

/** Collects changes to a body that was read, and says at the end which bytes they are. `json` is always JSON text. */
export interface JsonEdits {
  replace(value: JsonSpan, json: string): void
  /** Replaces the member's value, or adds the member behind the others. */
  setMember(object: JsonSpan, key: string, json: string): void
  removeMember(object: JsonSpan, key: string): void
  appendElement(array: JsonSpan, json: string): void
  /** Before the element with this index; behind the last one where there is none. */
  insertElement(array: JsonSpan, index: number, json: string): void
  removeElement(array: JsonSpan, index: number): void
  /** Writes `text`, which is no JSON, into a string behind what it says. */
  appendText(string: JsonSpan, text: string): void
  /** Changes that were found before, of values that nothing else changes. */
  include(edits: readonly ByteEdit[]): void
  /** In no particular order. Nothing may be changed inside of what is removed or replaced. */
  toByteEdits(): readonly ByteEdit[]
}

interface ContainerChanges {
  readonly removed: Set<number>
  readonly inserted: Map<number, string[]>
  readonly appended: string[]
}

/** Changes to one body. A container that loses and gains entries keeps its commas right. */
export function createJsonEdits(): JsonEdits {
  const edits: ByteEdit[] = []
  const containers = new Map<JsonSpan, ContainerChanges>()
  const changesOf = (container: JsonSpan) => {
    let changes = containers.get(container)
    if (changes === undefined) {
      changes = { removed: new Set(), inserted: new Map(), appended: [] }
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
    insertElement(array, index, json) {
      const changes = changesOf(array)
      if (index >= array.elements.length) changes.appended.push(json)
      else changes.inserted.set(index, [...(changes.inserted.get(index) ?? []), json])
    },
    removeElement: (array, index) => void changesOf(array).removed.add(index),
    appendText: ({ end }, text) =>
      void edits.push({ start: end - 1, end: end - 1, text: JSON.stringify(text).slice(1, -1) }),
    include(found) {
      for (const edit of found) edits.push(edit)
    },
    toByteEdits: () => [...edits, ...Array.from(containers, ([span, changes]) => editsOf(span, changes)).flat()],
  }
}

interface Entry {
  readonly start: number
  readonly end: number
}

/** The bytes between the entries that stay, wherever something comes or goes. */
function editsOf(container: JsonSpan, changes: ContainerChanges): readonly ByteEdit[] {
  const { removed, inserted, appended } = changes
  if (removed.size === 0 && container.kind === 'array') return additionsTo(container, changes)
  const entries: readonly Entry[] =
    container.kind === 'object'
      ? container.members.map(({ keyStart, value }) => ({ start: keyStart, end: value.end }))
      : container.elements
  const edits: ByteEdit[] = []
  let before: Entry | null = null
  let added: string[] = []
  let isGap = false
  for (const [index, entry] of entries.entries()) {
    added.push(...(inserted.get(index) ?? []))
    if (removed.has(index)) {
      isGap = true
      continue
    }
    const commas = added.map((json) => `${json},`).join('')
    if (isGap) {
      const start = before === null ? container.start + 1 : before.end
      edits.push({ start, end: entry.start, text: before === null ? commas : `,${commas}` })
    } else if (commas !== '') edits.push({ start: entry.start, end: entry.start, text: commas })
    before = entry
    added = []
    isGap = false
  }
  added.push(...appended)
  if (added.length === 0 && !isGap) return edits
  const start = before === null ? container.start + 1 : before.end
  const end = isGap ? container.end - 1 : start
  return [
    ...edits,
    { start, end, text: `${before === null ? '' : ','.repeat(Math.min(1, added.length))}${added.join(',')}` },
  ]
}

/** The same where nothing goes, without a look at each entry: a conversation has thousands. */
function additionsTo({ start, elements }: JsonSpan, { inserted, appended }: ContainerChanges): readonly ByteEdit[] {
  const edits = Array.from(inserted, ([index, added]): ByteEdit => {
    const at = elements[index]!.start
    return { start: at, end: at, text: added.map((json) => `${json},`).join('') }
  })
  if (appended.length === 0) return edits
  const last = elements.at(-1)
  const at = last === undefined ? start + 1 : last.end
  return [...edits, { start: at, end: at, text: `${last === undefined ? '' : ','}${appended.join(',')}` }]
}
