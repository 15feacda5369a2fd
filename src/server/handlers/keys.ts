import { type KeyRecord, type ScopeReading, StintError } from '../../core/index.ts'
import { createApiKey, createGatewayKey, hashGatewayKey } from '../../gateway/keys/index.ts'
import { createKey, keyView, listKeys, revokeKey } from '../../operate/keys/keys.ts'
import { openServerScope, SERVER_SCOPE_ID } from '../../operate/keys/server-scope.ts'
import { badRequest } from '../http/refusals.ts'
import { operatorFor, type ServerContext, shownScope } from '../server-context.ts'
import type { Handlers } from './handler.ts'

/** Keys of the API and of the gateway. */
export const KEY_HANDLERS: Pick<Handlers, 'GET /api/keys' | 'POST /api/keys' | 'POST /api/keys/:id/revoke'> = {
  async 'GET /api/keys'({ context }) {
    const { keys, isTruncated } = await listKeys(context)
    return { keys: keys.map((record) => keyView(record, context.nowMs())), isTruncated }
  },

  async 'POST /api/keys'({ context, caller, body }) {
    const { scope, role, name = null, expiresAtMs = null } = body
    if (scope === undefined && role === undefined) {
      throw badRequest('A key for the gateway needs the scope that pays: "scope". A key for the API needs a "role".')
    }
    const paying = scope === undefined ? await serverScope(context) : await shownScope(context, caller, scope)
    const key = role === undefined ? createGatewayKey() : createApiKey()
    const fields = { hash: hashGatewayKey(key), name, expiresAtMs, ...(role === undefined ? {} : { role }) }
    const record = await createKey(operatorFor(context, caller), paying, fields)
    return { key, record: keyView(record, context.nowMs()) }
  },

  async 'POST /api/keys/:id/revoke'({ context, caller, params }) {
    const { keys } = await listKeys(context)
    const known: KeyRecord | undefined = keys.find(({ id }) => id === params.id)
    if (known === undefined) throw new StintError('unknown_key', `No key has the id ${JSON.stringify(params.id)}.`)
    const { key, isNew } = await revokeKey(operatorFor(context, caller), known)
    return { record: keyView(key, context.nowMs()), isNew }
  },
}

/** The scope of keys to everything. */
async function serverScope({ store, nowMs }: ServerContext): Promise<ScopeReading> {
  await openServerScope(store, nowMs())
  return (await store.read({ scopeId: SERVER_SCOPE_ID, atMs: nowMs() }))!.at(-1)!
}
