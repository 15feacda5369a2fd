import { ASSUMED_HANDLERS } from './assumed.ts'
import { BUDGET_HANDLERS } from './budgets.ts'
import type { Handlers } from './handler.ts'
import { HEALTH_HANDLERS } from './health.ts'
import { KEY_HANDLERS } from './keys.ts'
import { REPORT_HANDLERS } from './reports.ts'
import { REQUEST_HANDLERS } from './requests.ts'
import { SCOPE_HANDLERS } from './scopes.ts'
import { sessionView } from './session.ts'
import { TASK_HANDLERS } from './tasks.ts'

/** What answers each address. */
export const HANDLERS: Handlers = {
  'GET /api/session': ({ context, caller }) => sessionView(context, caller),
  ...SCOPE_HANDLERS,
  ...REQUEST_HANDLERS,
  ...BUDGET_HANDLERS,
  ...ASSUMED_HANDLERS,
  ...TASK_HANDLERS,
  ...KEY_HANDLERS,
  ...REPORT_HANDLERS,
  ...HEALTH_HANDLERS,
}
