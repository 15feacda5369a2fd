import { describe, expect, it, onTestFinished } from 'vitest'
import type { KeyRecord } from '../../core/index.ts'
import { createGovernor } from '../../governor/index.ts'
import { createManualClock } from '../../testing/index.ts'
import { createKeyAdmission } from './create-key-admission.ts'
import { createGatewayKey, hashGatewayKey, isGatewayKey } from './gateway-key.ts'

/** A budget and a key to it, in a ledger that other processes share. */
async function createDoor(options: { readonly expiresAtMs?: number } = {}) {
  const clock = createManualClock()
  const governor = createGovernor({ clock })
  onTestFinished(() => governor.close())
  await governor.budget('team:core', { limits: { modelCalls: 5 } })
  const key = createGatewayKey()
  const scope = { scopeId: 'team:core', scopePath: 'team:core' }
  const made = { name: null, createdBy: 'ann', createdAtMs: clock.wallMs(), expiresAtMs: options.expiresAtMs ?? null }
  let record: KeyRecord = {
    id: 'one',
    ...scope,
    hash: hashGatewayKey(key),
    ...made,
    revokedBy: null,
    revokedAtMs: null,
  }
  let looks = 0
  let isAway = false
  const store = {
    async keyByHash({ hash }: { readonly hash: string }) {
      looks++
      if (isAway) throw new Error('away')
      return hash === record.hash ? record : null
    },
  }
  return {
    admission: createKeyAdmission(store, governor, { clock }),
    clock,
    key,
    store,
    looks: () => looks,
    cut(away: boolean) {
      isAway = away
    },
    revoke() {
      record = { ...record, revokedBy: 'ann', revokedAtMs: clock.wallMs() }
    },
  }
}

/** Lets everything run that only waits for promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a key of the gateway', () => {
  it('has 256 random bits and a recognizable prefix, and no two are alike', () => {
    const keys = Array.from({ length: 200 }, createGatewayKey)
    for (const key of keys) {
      expect(isGatewayKey(key)).toBe(true)
      expect(Buffer.from(key.slice('stint_'.length), 'base64url')).toHaveLength(32)
    }
    expect(new Set(keys).size).toBe(200)
  })

  it('is stored as a hash that contains nothing of it', () => {
    const key = createGatewayKey()
    expect(hashGatewayKey(key)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashGatewayKey(key)).toBe(hashGatewayKey(key))
    expect(hashGatewayKey(key)).not.toContain(key.slice(6, 14))
  })
})

describe('I5: the admission by keys', () => {
  it('admits to the scope of the key, which spends from its budget', async () => {
    const { admission, key } = await createDoor()
    const scope = await admission.scopeOf(key)
    expect(scope?.path).toBe('team:core')
    expect(await scope?.reserve({ modelCalls: 6 }, { waitMs: 0 })).toMatchObject({ kind: 'refused' })
  })

  it('refuses an unknown key, and anything but a key without a lookup', async () => {
    const { admission, key, looks } = await createDoor()
    expect(await admission.scopeOf(createGatewayKey())).toBe(null)
    expect(looks()).toBe(1)
    for (const text of [
      '',
      'stint_',
      'sk-ant-x',
      `${key} `,
      key.toUpperCase(),
      `${key}A`,
      `\n${key}`,
      'x'.repeat(1e6),
    ]) {
      expect(await admission.scopeOf(text)).toBe(null)
    }
    expect(looks()).toBe(1)
  })

  it('looks up a key once for many concurrent requests, and not at all while the result is fresh', async () => {
    const { admission, clock, key, looks } = await createDoor()
    await Promise.all(Array.from({ length: 100 }, () => admission.scopeOf(key)))
    expect(looks()).toBe(1)
    await clock.advance(399)
    await admission.scopeOf(key)
    expect(looks()).toBe(1)
  })

  it('admits a key in use without waiting, and refreshes it meanwhile', async () => {
    const { admission, clock, key, looks } = await createDoor()
    await admission.scopeOf(key)
    for (let round = 2; round < 20; round++) {
      await clock.advance(450)
      expect(await admission.scopeOf(key)).not.toBe(null)
      await settled()
      expect(looks()).toBe(round)
    }
  })

  it('refuses a key that was revoked within a second, in use or not', async () => {
    const { admission, clock, key, revoke } = await createDoor()
    expect(await admission.scopeOf(key)).not.toBe(null)
    revoke()
    await clock.advance(901)
    expect(await admission.scopeOf(key)).toBe(null)

    const busy = await createDoor()
    await busy.admission.scopeOf(busy.key)
    busy.revoke()
    let lastMs = 0
    for (let atMs = 0; atMs < 2_000; atMs += 50) {
      if ((await busy.admission.scopeOf(busy.key)) !== null) lastMs = atMs
      await settled()
      await busy.clock.advance(50)
    }
    expect(lastMs).toBeLessThan(1_000)
  })

  it('refuses a key from the moment at which it expires', async () => {
    const startMs = createManualClock().wallMs()
    const { admission, clock, key } = await createDoor({ expiresAtMs: startMs + 100 })
    await clock.advance(99)
    expect(await admission.scopeOf(key)).not.toBe(null)
    await clock.advance(1)
    expect(await admission.scopeOf(key)).toBe(null)
  })

  it('admits no key on an old result while the ledger cannot be reached, and all afterwards', async () => {
    const { admission, clock, cut, key } = await createDoor()
    await admission.scopeOf(key)
    cut(true)
    await clock.advance(500)
    expect(await admission.scopeOf(key)).not.toBe(null)
    await settled()
    await clock.advance(500)
    await expect(admission.scopeOf(key)).rejects.toThrow('away')
    cut(false)
    expect(await admission.scopeOf(key)).not.toBe(null)
  })

  it('refuses a key whose scope is gone', async () => {
    const { admission, key, store } = await createDoor()
    const lost = createKeyAdmission(store, { find: async () => null })
    expect(await lost.scopeOf(key)).toBe(null)
    expect(await admission.scopeOf(key)).not.toBe(null)
  })
})
