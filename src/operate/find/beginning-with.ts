/**
 * The items whose ids start with what the user typed. Agents of a group have the id GROUP.AGENT: the start of GROUP
 * means the group itself, and with .AGENT after it, one of its agents.
 */
export function beginningWith<Item extends { readonly id: string }>(
  items: readonly Item[],
  text: string,
): readonly Item[] {
  if (text === '') return []
  const start = groupIdOf(text)
  const rest = text.slice(start.length)
  const matches = items.filter(({ id }) => {
    const groupId = groupIdOf(id)
    return groupId.startsWith(start) && id.slice(groupId.length) === rest
  })
  return matches.length > 0 ? matches : items.filter(({ id }) => id.startsWith(text))
}

/** The group part of an id (everything before the first dot), or the id itself. */
export function groupIdOf(id: string): string {
  return id.split('.', 1)[0]!
}
