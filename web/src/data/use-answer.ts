import { useEffect, useState } from 'preact/hooks'
import type { Answer, RouteName } from '../../../src/server/contract.ts'
import { type Call, callApi } from './call-api.ts'

export interface Loaded<Value> {
  /** The last answer, also while the next one is on its way. */
  readonly value: Value | null
  /** Why there is none. */
  readonly problem: string | null
  readonly reload: () => void
}

/**
 * The answer of an address, loaded again when the call changes, when `reload` is called, and every `everyMs` while the
 * page is seen. Without a call, nothing is loaded.
 */
export function useAnswer<Name extends RouteName>(
  name: Name,
  call: Call<Name> | null,
  everyMs: number | null = null,
): Loaded<Answer<Name>> {
  const key = `${name} ${JSON.stringify(call)}`
  const [loaded, setLoaded] = useState<{ key: string; value: Answer<Name> } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  // `key` is the call as text, and a new `turn` repeats it.
  useEffect(() => {
    if (call === null) return
    const leaving = new AbortController()
    callApi(name, { ...call, signal: leaving.signal }).then(
      (value) => {
        setLoaded({ key, value })
        setProblem(null)
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setProblem(error instanceof Error ? error.message : String(error))
      },
    )
    return () => leaving.abort()
  }, [key, turn])
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setTurn((now) => now + 1)
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  // What belongs to another call is not shown under this one.
  const value = loaded !== null && loaded.key === key ? loaded.value : null
  return { value, problem, reload: () => setTurn((now) => now + 1) }
}
