import type { JsonEdits, JsonSpan } from '../../../json/index.ts'

/** Members of the body that change, each once: JSON to write, or `null` to take the member out. */
export type TopLevelEdits = Map<string, string | null>

/** Writes the edits. Removing a member that does not exist changes nothing. */
export function applyTopLevel(edits: JsonEdits, root: JsonSpan, changes: TopLevelEdits): void {
  for (const [field, json] of changes) {
    if (json === null) edits.removeMember(root, field)
    else edits.setMember(root, field, json)
  }
}
