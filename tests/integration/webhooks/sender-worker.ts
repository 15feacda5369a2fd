import { createWebhookSender } from '../../../src/observe/webhooks/index.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'

// A server's part that sends to a webhook: node sender-worker.ts FILE URL HOLDER
const [file = '', url = '', holder = ''] = process.argv.slice(2)
const store = createSqliteStore({ file })
createWebhookSender({
  store,
  webhook: { name: 'ops', url, secret: null, format: 'json', events: ['scope_closed', 'alert_raised'] },
  holder,
})
// The sender keeps no process alive by itself.
setInterval(() => {}, 60_000)
