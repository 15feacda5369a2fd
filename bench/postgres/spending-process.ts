// One process with callers: node spending-process.ts naive|stint URL SCOPE CALLERS. Spends when it is asked to.
import { createPostgresStore } from '../../src/stores/postgres/index.ts'
import { type Spender, spenderOn, spendWith } from '../spend.ts'
import { createNaiveClient } from './naive-client.ts'

const [kind = '', url = '', scopeId = '', callersText = '1'] = process.argv.slice(2)
const callers = Number(callersText)

interface Order {
  readonly forMs?: number
}

function open(): Spender & { close(): Promise<void> } {
  if (kind === 'naive') return createNaiveClient(url, callers)
  const store = createPostgresStore({ url })
  return { ...spenderOn(store, scopeId), close: () => store.dispose() }
}

const spender = open()

/** Each caller stops when it is refused. */
async function race(): Promise<{ readonly granted: number }> {
  let granted = 0
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let call = 0; ; call++) {
        const id = `race-${process.pid}-${caller}-${call}`
        const outcome = (await spender.reserve(id)) as { readonly kind: string }
        if (outcome.kind !== 'granted') return
        granted++
        await spender.settle(id)
      }
    }),
  )
  return { granted }
}

process.on('message', ({ forMs }: Order) => {
  const answer = forMs === undefined ? race() : spendWith(spender, callers, forMs)
  answer.then(
    (result) => process.send!(result),
    (error: unknown) => process.send!({ error: String(error) }),
  )
})
process.once('disconnect', () => void spender.close())
process.send!({ port: 0 })
