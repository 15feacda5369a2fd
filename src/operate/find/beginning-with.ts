/**
 * Those whose ids begin with a text that a person gave. The agents of a group have its id before a dot: the beginning of
 * that alone means the group, and with what is behind the dot one of them.
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

/** The id of the group that an id names an agent of, or the id itself: what is before its first dot. */
export function groupIdOf(id: string): string {
  return id.split('.', 1)[0]!
}
