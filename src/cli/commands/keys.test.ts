import { describe, expect, it } from 'vitest'
import { hashGatewayKey, isGatewayKey } from '../../gateway/keys/index.ts'
import { createCli, NOW_MS } from '../cli.fixture.ts'

async function createCliWithBudget() {
  const cli = createCli()
  await cli.run('budget', 'set', 'team:core', '--limit', 'cost=100/day')
  const create = async (...flags: readonly string[]) => {
    const { stdout } = await cli.run('keys', 'create', 'team:core', ...flags)
    return { key: /stint_\S+/.exec(stdout)![0], stdout }
  }
  return { ...cli, create }
}

describe('stint keys create', () => {
  it('shows the key once with how to use it, and stores only its hash', async () => {
    const cli = await createCliWithBudget()
    const { key, stdout } = await cli.create('--name', 'ci')
    expect(isGatewayKey(key)).toBe(true)
    expect(stdout.split(key)).toHaveLength(2)
    expect(stdout).toContain('ANTHROPIC_BASE_URL=http://127.0.0.1:7433/anthropic ')
    expect(stdout).toContain('OPENAI_BASE_URL=http://127.0.0.1:7433/openai/v1 ')
    for (const header of ['x-api-key', 'authorization: Bearer', 'x-stint-key']) expect(stdout).toContain(header)
    const [record] = await cli.store.keys({})
    expect(record).toMatchObject({ scopeId: 'team:core', name: 'ci', createdBy: 'ann', createdAtMs: NOW_MS })
    expect(record?.hash).toBe(hashGatewayKey(key))
    expect(JSON.stringify(record)).not.toContain(key.slice(6))
  })

  it('takes the path of a run as its scope, and an expiry', async () => {
    const cli = await createCliWithBudget()
    await cli.open({ id: 'run-1', name: 'triage' }, {}, 'team:core')
    const { record, baseUrls } = await cli.json('keys', 'create', 'team:core/triage', '--expires', '30d', '--by', 'ben')
    const expiresAtMs = NOW_MS + 30 * 24 * 3_600_000
    expect(record).toMatchObject({ scopeId: 'run-1', scopePath: 'team:core/triage', expiresAtMs, createdBy: 'ben' })
    expect(baseUrls).toMatchObject({ openai: 'http://127.0.0.1:7433/openai/v1' })
  })

  it.each([
    [['nobody'], 1, 'No scope has the id or path "nobody"'],
    [['team:coer'], 1, 'Did you mean "team:core"?'],
    [['team:core', '--expires', '0'], 2, '--expires'],
    [['team:core', '--expires', 'soon'], 2, '30d'],
    [['team:core', '--name', 'x'.repeat(201)], 2, 'name'],
    [['ended'], 1, 'has ended'],
  ])('%j is refused and creates no key', async (args, exitCode, text) => {
    const cli = await createCliWithBudget()
    await cli.open({ id: 'ended' })
    await cli.store.close({ scopeId: 'ended', status: 'completed', atMs: NOW_MS })
    const answer = await cli.run('keys', 'create', ...args)
    expect(answer).toMatchObject({ exitCode, stdout: '' })
    expect(answer.stderr).toContain(text)
    expect(await cli.store.keys({})).toEqual([])
  })
})

describe('stint keys create --role', () => {
  it('creates a key for the dashboard, to everything or to a scope, which the gateway refuses', async () => {
    const cli = createCli()
    await cli.run('budget', 'set', 'team:core', '--limit', 'cost=1')
    const made = async (...args: readonly string[]) => {
      const { stdout } = await cli.run('keys', 'create', ...args, '--json')
      return JSON.parse(stdout) as { key: string; record: object }
    }
    const all = await made('--role', 'admin', '--name', 'ops')
    expect(all.key).toMatch(/^stint_api_/)
    expect(all.record).toMatchObject({ scopeId: null, scopePath: null, role: 'admin', name: 'ops', createdBy: 'ann' })
    const one = await made('team:core', '--role', 'viewer')
    expect(one.record).toMatchObject({ scopeId: 'team:core', role: 'viewer' })
    expect(one).not.toHaveProperty('baseUrls')
    const { stdout } = await cli.run('keys', 'list')
    expect(stdout).toMatch(/\(everything\) +admin +ops/)
    expect(stdout).toMatch(/team:core +viewer +–/)
    expect(isGatewayKey(one.key)).toBe(false)
  })

  it('refuses an unknown role, and a missing scope without a role', async () => {
    const cli = createCli()
    const odd = await cli.run('keys', 'create', '--role', 'root')
    expect(odd).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('viewer, operator, admin') })
    const none = await cli.run('keys', 'create')
    expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--role') })
  })
})

describe('stint keys list', () => {
  it('shows whose each key is and whether it is still valid, never the key or its hash', async () => {
    const cli = await createCliWithBudget()
    expect((await cli.run('keys', 'list')).stdout).toBe('No keys. To create one: stint keys create SCOPE\n')
    const keys = [(await cli.create('--name', 'ci')).key, (await cli.create('--expires', '30d')).key]
    const ours = (await cli.store.keys({})).find(({ name }) => name === 'ci')
    await cli.run('keys', 'revoke', ours!.id)
    const { stdout } = await cli.run('keys', 'list')
    expect(stdout).toMatch(/^ID +SCOPE +FOR +NAME +MADE +STATE\n/)
    expect(stdout).toMatch(/ team:core +gateway +ci +now by ann +revoked now by ann\n/)
    expect(stdout).toMatch(/ team:core +gateway +– +now by ann +good, expires in 30d\n/)
    const json = await cli.run('keys', 'list', '--json')
    expect(
      JSON.parse(json.stdout)
        .keys.map(({ state }: { state: string }) => state)
        .toSorted(),
    ).toEqual(['good', 'revoked'])
    for (const key of keys) {
      for (const text of [stdout, json.stdout]) {
        expect(text).not.toContain(key.slice(6, 16))
        expect(text).not.toContain(hashGatewayKey(key).slice(0, 16))
      }
    }
  })

  it('says that a key has expired', async () => {
    const cli = await createCliWithBudget()
    const scope = { scopeId: 'team:core', hash: 'a'.repeat(64), atMs: NOW_MS - 7_200_000 }
    await cli.store.addKey({ keyId: 'one', ...scope, expiresAtMs: NOW_MS - 3_600_000 })
    expect((await cli.run('keys', 'list')).stdout).toContain('expired 1h ago')
    expect(await cli.json('keys', 'list')).toMatchObject({ keys: [{ id: 'one', state: 'expired' }] })
  })
})

describe('stint keys revoke', () => {
  it('takes the beginning of an id, says who revoked it, and when it was revoked before', async () => {
    const cli = await createCliWithBudget()
    await cli.create()
    const [{ id } = { id: '' }] = await cli.store.keys({})
    const { stdout } = await cli.run('keys', 'revoke', id.slice(0, 8), '--by', 'ben')
    expect(stdout).toBe(`Revoked ${id} of team:core.\n`)
    expect((await cli.store.keys({}))[0]).toMatchObject({ revokedBy: 'ben', revokedAtMs: NOW_MS })
    expect(await cli.json('keys', 'revoke', id)).toMatchObject({ isNew: false, record: { revokedBy: 'ben' } })
    expect((await cli.run('keys', 'revoke', id)).stdout).toContain('Already revoked, now by ben')
  })

  it('refuses an unknown key', async () => {
    const cli = await createCliWithBudget()
    const { exitCode, stderr } = await cli.run('keys', 'revoke', 'nothing', '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unknown_key' } })
  })
})
