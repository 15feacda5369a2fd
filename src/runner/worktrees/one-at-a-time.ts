const lastOf = new Map<string, Promise<unknown>>()

/**
 * Runs work on a repository after all that was begun on it before. Git has no lock for its list of worktrees: a `prune`
 * removes an entry that a simultaneous `add` has only half written.
 */
export async function oneAtATime<Value>(repository: string, work: () => Promise<Value>): Promise<Value> {
  const before = lastOf.get(repository) ?? Promise.resolve()
  const own = before.then(work, work)
  lastOf.set(repository, own)
  try {
    return await own
  } finally {
    if (lastOf.get(repository) === own) lastOf.delete(repository)
  }
}
