import { checkScopes } from '../../operate/health/check-scopes.ts'
import { operatorFor } from '../server-context.ts'
import type { Handlers } from './handler.ts'

export const HEALTH_HANDLERS: Pick<Handlers, 'GET /api/findings'> = {
  async 'GET /api/findings'({ context, caller }) {
    return { findings: (await checkScopes(operatorFor(context, caller))).findings }
  },
}
