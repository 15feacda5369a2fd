import { createHmac } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LedgerStore } from '../../../src/core/index.ts'
import { sinkStateFrom } from '../../../src/observe/webhooks/sink-state.ts'
import type { Webhook } from '../../../src/observe/webhooks/webhook.ts'
import { createWebhookSender, webhookLease } from '../../../src/observe/webhooks/webhook-sender.ts'
import { createMemoryStore } from '../../../src/stores/memory/index.ts'
import { createManualClock, type ManualClock } from '../../../src/testing/index.ts'
import { createContractLedger } from '../../../src/testing/store-contract/contract-ledger.ts'
import { startReceiver } from './receiver.fixture.ts'

const SECRET = 'made-up-secret'

function webhookTo(url: string, more: Partial<Webhook> = {}): Webhook {
  return { name: 'ops', url, secret: SECRET, format: 'json', events: ['alert_raised', 'scope_closed'], ...more }
}

function stage(store: LedgerStore = createMemoryStore({ isShared: true })) {
  const clock = createManualClock()
  const ledger = createContractLedger(store)
  ledger.atMs = clock.wallMs()
  const start = (webhook: Webhook, holder = 'sender') => {
    const sender = createWebhookSender({ store, webhook, holder, clock, random: () => 0.5 })
    onTestFinished(() => sender.stop())
    return sender
  }
  const stateOf = async () => sinkStateFrom((await store.leased({ lease: webhookLease('ops') }))?.text ?? null)
  return { store, clock, ledger, start, stateOf }
}

/** Lets time pass until it is so. */
async function until(clock: ManualClock, isSo: () => boolean | Promise<boolean>, stepMs = 1_000): Promise<void> {
  await expect
    .poll(
      async () => {
        if (await isSo()) return true
        await clock.advance(stepMs)
        return isSo()
      },
      { timeout: 30_000, interval: 5 },
    )
    .toBe(true)
}

/** Opens trees and ends them, one event of interest each. */
async function endTrees(ledger: ReturnType<typeof stage>['ledger'], names: readonly string[]): Promise<void> {
  for (const name of names) {
    await ledger.open(name)
    await ledger.store.close({ scopeId: name, status: 'failed', reason: 'no answer', atMs: ledger.atMs })
  }
}

describe('a webhook', () => {
  it('gets each event once, with an id and a verifiable signature', async () => {
    const { received, url } = await startReceiver()
    const { clock, ledger, start, stateOf } = stage()
    start(webhookTo(url))
    await until(clock, async () => (await stateOf())?.changed !== null)
    await endTrees(ledger, ['a', 'b'])
    await until(clock, () => received.length === 2)
    await clock.advance(5_000)
    expect(received.map(({ body }) => JSON.parse(body).id)).toEqual(['a:2', 'b:2'])
    const { body, headers } = received[0]!
    expect(JSON.parse(body).event).toMatchObject({ event: 'scope_closed', scope: 'a', status: 'failed', seq: 2 })
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['stint-signature']))!
    expect(signature).toBe(createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'))
    expect(headers['stint-delivery']).toBe('a:2')
    expect(await stateOf()).toMatchObject({ sent: 2, dropped: 0, failing: null })
  })

  it('gets the event again later if it fails, in order, and its failure is visible; calls continue meanwhile', async () => {
    const { received, url } = await startReceiver((_, count) => (count <= 4 ? [500, 302, 429, 404][count - 1]! : 200))
    const { clock, ledger, start, stateOf } = stage()
    start(webhookTo(url))
    await until(clock, async () => (await stateOf())?.changed !== null)
    await endTrees(ledger, ['a', 'b'])
    await until(clock, async () => (await stateOf())?.failing?.attempts === 2)
    expect((await stateOf())?.failing).toMatchObject({ reason: 'HTTP 302' })
    await ledger.open('c')
    await ledger.spend('c', { tokens: 5 })
    await until(clock, () => received.length === 6)
    expect(received.map(({ headers }) => headers['stint-delivery'])).toEqual(['a:2', 'a:2', 'a:2', 'a:2', 'a:2', 'b:2'])
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/hook']))
    await until(clock, async () => (await stateOf())?.failing === null)
  })

  it('is given up after a day, event by event, so that later ones arrive', async () => {
    let isUp = false
    const { received, url } = await startReceiver(() => (isUp ? 200 : 503))
    const { clock, ledger, start, stateOf } = stage()
    start(webhookTo(url))
    await until(clock, async () => (await stateOf())?.changed !== null)
    await endTrees(ledger, ['a'])
    await until(clock, async () => (await stateOf())?.dropped === 1, 120_000)
    isUp = true
    ledger.atMs = clock.wallMs()
    await endTrees(ledger, ['b'])
    await until(clock, () => received.at(-1)?.headers['stint-delivery'] === 'b:2', 10_000)
    // Backing off: a day of attempts at most every five minutes.
    expect(received.length).toBeLessThan(320)
  })

  it('is reported as unreachable without its address', async () => {
    const { clock, ledger, start, stateOf } = stage()
    const { port } = await startReceiver()
    start(webhookTo(`http://127.0.0.1:${port === 9 ? 11 : 9}/services/sk-canary`))
    await until(clock, async () => (await stateOf())?.changed !== null)
    await endTrees(ledger, ['a'])
    await until(clock, async () => (await stateOf())?.failing !== null)
    expect((await stateOf())?.failing?.reason).toMatch(/^(ECONNREFUSED|it could not be reached)$/)
    expect(JSON.stringify(await stateOf())).not.toContain('sk-canary')
  })

  it('is sent to by one process, and by the next one if that stops or dies, from the same place', async () => {
    const { received, url } = await startReceiver()
    const { store, clock, ledger, start, stateOf } = stage()
    const first = start(webhookTo(url), 'first')
    await until(clock, async () => (await stateOf())?.changed !== null)
    start(webhookTo(url), 'second')
    await endTrees(ledger, ['a', 'b'])
    await until(clock, async () => (await stateOf())?.sent === 2)
    await first.stop()
    await endTrees(ledger, ['c'])
    await until(clock, () => received.length === 3)
    expect(await store.leased({ lease: webhookLease('ops') })).toMatchObject({ holder: 'second' })
    await clock.advance(60_000)
    expect(received.map(({ headers }) => headers['stint-delivery'])).toEqual(['a:2', 'b:2', 'c:2'])
  })

  it('gets nothing from before its first use, and everything that happened while no server ran', async () => {
    const { received, url } = await startReceiver()
    const { clock, ledger, start, stateOf } = stage()
    await endTrees(ledger, ['before'])
    await clock.advance(10)
    ledger.atMs = clock.wallMs()
    const first = start(webhookTo(url))
    await until(clock, async () => (await stateOf())?.changed !== null)
    await first.stop()
    await endTrees(ledger, ['meanwhile-1', 'meanwhile-2'])
    await clock.advance(3 * 86_400_000)
    start(webhookTo(url))
    await until(clock, () => received.length === 2)
    expect(received.map(({ headers }) => headers['stint-delivery'])).toEqual(['meanwhile-1:2', 'meanwhile-2:2'])
  })

  it('gets a line of text in Slack’s format, in which a name cannot be a link or a mention', async () => {
    const { received, url } = await startReceiver()
    const { clock, ledger, start, stateOf } = stage()
    start(webhookTo(url, { format: 'slack' }))
    await until(clock, async () => (await stateOf())?.changed !== null)
    await ledger.open('<!channel>', [], { name: '<!channel> & <mailto:evil.example|here>' })
    const reason = 'it broke\n*Approve now*\u202e'
    await ledger.store.close({ scopeId: '<!channel>', status: 'failed', reason, atMs: ledger.atMs })
    await until(clock, () => received.length === 1)
    const { text } = JSON.parse(received[0]!.body)
    expect(text).toBe(
      'Ended in &lt;!channel&gt; &amp; &lt;mailto:evil.example|here&gt;: failed, it broke *Approve now* ',
    )
  })

  it('gets events of a tree with any id, and after a clock that went back', async () => {
    const { received, url } = await startReceiver()
    const { clock, ledger, start, stateOf } = stage()
    start(webhookTo(url))
    await until(clock, async () => (await stateOf())?.changed !== null)
    clock.jumpWall(-3_600_000)
    ledger.atMs = clock.wallMs()
    const id = 'läuft\r\nx-injected: 1'
    await ledger.open(id, [], { name: 'run' })
    await ledger.store.close({ scopeId: id, status: 'failed', atMs: ledger.atMs })
    await until(clock, () => received.length === 1)
    expect(received[0]!.headers).toMatchObject({ 'stint-delivery': encodeURI(`${id}:2`) })
    expect(received[0]!.headers['x-injected']).toBe(undefined)
    expect(JSON.parse(received[0]!.body).id).toBe(`${id}:2`)
  })

  it('survives a store outage', async () => {
    const { received, url } = await startReceiver()
    const store = createMemoryStore({ isShared: true })
    let isAway = false
    const changed: LedgerStore['changed'] = async (request) => {
      if (isAway) throw new Error('away')
      return store.changed(request)
    }
    const { clock, ledger, start, stateOf } = stage({ ...store, changed })
    start(webhookTo(url))
    await until(clock, async () => (await stateOf())?.changed !== null)
    isAway = true
    await endTrees(ledger, ['a'])
    await clock.advance(30_000)
    isAway = false
    await until(clock, () => received.length === 1)
  })
})
