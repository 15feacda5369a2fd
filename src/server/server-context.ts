import type { LedgerStore, ScopeReading } from '../core/index.ts'
import type { Metrics } from '../observe/metrics/index.ts'
import { SERVER_SCOPE_ID } from '../operate/keys/server-scope.ts'
import type { Operator } from '../operate/operator.ts'
import type { ParsedLimits } from '../policy/index.ts'
import { unknownScope } from './http/refusals.ts'
import type { LiveTree } from './live/live-tree.ts'
import type { Reports } from './reports/reports.ts'
import type { ApiKeys } from './session/api-keys.ts'
import type { Caller } from './session/caller.ts'
import type { Sessions } from './session/sessions.ts'
import type { SignInLinks } from './session/sign-in-links.ts'

/** A run that a caller wants to start. */
export interface RunRequest {
  readonly agent: string
  readonly task: string
  readonly limits: readonly string[]
  readonly budget: string | null
  /** Who wants it. */
  readonly by: string
}

/** Starts processes for runs. They outlive the server. */
export interface RunStarter {
  /** The agents that may be started; `null`: starting runs is off. */
  readonly agents: readonly string[] | null
  start(request: RunRequest): Promise<{ readonly id: string }>
  /** Resumes a task whose process has ended. `add`: limits as written. */
  resume(task: { readonly id: string; readonly add: readonly string[]; readonly by: string }): Promise<void>
}

/** What all requests of one server share. */
export interface ServerContext {
  readonly store: LedgerStore
  readonly isHolderAlive: (holder: string) => boolean | null
  readonly nowMs: () => number
  readonly version: string
  /** The name in the journal of the user who opens a link. */
  readonly userName: string
  readonly upstreams: readonly string[]
  /** The config's ceilings for runs. */
  readonly ceilings: readonly ParsedLimits[]
  readonly tasksFolder: string
  readonly starter: RunStarter
  readonly metrics: Pick<Metrics, 'scrape' | 'contentType'>
  readonly sessions: Sessions
  readonly keys: ApiKeys
  readonly links: SignInLinks
  readonly tree: LiveTree
  readonly reports: Reports
}

/** A caller as the operator of its requests. */
export function operatorFor({ store, nowMs, isHolderAlive }: ServerContext, { by }: Pick<Caller, 'by'>): Operator {
  return { store, by, nowMs, isHolderAlive }
}

/** Whether a caller may see a scope with this path of ids. No caller may see that of the server itself. */
export function mayShow({ scopeId }: Pick<Caller, 'scopeId'>, idsOnPath: readonly string[]): boolean {
  if (idsOnPath.includes(SERVER_SCOPE_ID)) return false
  return scopeId === null || idsOnPath.includes(scopeId)
}

/** A scope with the ancestors that its caller may see. Throws the same whether it is foreign or unknown. */
export async function shownPath(
  { store, nowMs }: ServerContext,
  caller: Pick<Caller, 'scopeId'>,
  id: string,
): Promise<readonly [...ScopeReading[], ScopeReading]> {
  const path = (await store.read({ scopeId: id, atMs: nowMs() })) ?? []
  const ids = path.map((scope) => scope.id)
  const scope = path.at(-1)
  if (scope === undefined || !mayShow(caller, ids)) throw unknownScope(id)
  const first = caller.scopeId === null ? 0 : ids.indexOf(caller.scopeId)
  return [...path.slice(first, -1), scope]
}

/** The scope with exactly this id, if its caller may see it. */
export async function shownScope(
  context: ServerContext,
  caller: Pick<Caller, 'scopeId'>,
  id: string,
): Promise<ScopeReading> {
  const path = await shownPath(context, caller, id)
  return path[path.length - 1]!
}
