import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { createGovernor } from '../../../src/governor/index.ts'
import { createPostgresStore, describeLedger, verifyLedger } from '../../../src/stores/postgres/index.ts'
import { openScope, openStoreAt, spend, useDatabase } from './database.fixture.ts'
import { selfSigned } from './self-signed.fixture.ts'

const database = useDatabase()
const { run, newSchema, address } = database

const THINGS = { code: 'store_unavailable' }

/** The refusal of the first operation. Nothing in it may show the password. */
async function refusalOf(url: string): Promise<{ readonly code: string; readonly message: string }> {
  const error: unknown = await openScope(openStoreAt(url, { busyMs: 3_000 }), 'run').catch((thrown) => thrown)
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/made-up|s3cret/)
  return error as { readonly code: string; readonly message: string }
}

describe('an unusable database is refused with what to do', () => {
  it.each([
    ['with a wrong password', { password: 's3cret' }, /refused the password; check the user and the password/],
    ['for a user that does not exist', { user: 'ann' }, /refused the password/],
    ['for a schema that does not exist', { parameters: '&schema=x' }, null],
  ])('%s', async (_, options, message) => {
    const { schema } = await newSchema()
    if (message !== null)
      expect(await refusalOf(address(schema, options))).toMatchObject({
        ...THINGS,
        message: expect.stringMatching(message),
      })
    else expect((await refusalOf(address('nowhere'))).message).toMatch(/has no such schema; create it/)
  })

  it('for a schema that does not exist, also where it is only looked at', async () => {
    const refusal = { code: 'store_unavailable', message: expect.stringMatching(/has no such schema; create it/) }
    await expect(describeLedger(address('nowhere'))).rejects.toMatchObject(refusal)
    await expect(verifyLedger(address('nowhere'))).rejects.toMatchObject(refusal)
    await expect(openStoreAt(address('nowhere')).read({ scopeId: 'run', atMs: 1 })).rejects.toMatchObject(refusal)
  })

  it('with another database, port or host', async () => {
    const { host, port } = new URL(database.server.url)
    const messages = [
      await refusalOf(`postgres://stint:made-up@${host}/nothing`),
      await refusalOf(`postgres://stint:made-up@127.0.0.1:1/postgres`),
      await refusalOf(`postgres://stint:made-up@nowhere.invalid:${port}/postgres`),
    ].map(({ message }) => message)
    expect(messages[0]).toMatch(/has no such database; create it/)
    expect(messages[1]).toMatch(/127\.0\.0\.1:1\/postgres refused the connection; check that it runs/)
    expect(messages[2]).toMatch(/nowhere\.invalid.* (was not found; check the name|cannot be reached)/)
  })

  it('with a table of another program', async () => {
    const { schema, url } = await newSchema()
    await run(`CREATE TABLE ${schema}.ledger (account text)`)
    expect((await refusalOf(url)).message).toMatch(/table of another program.*schema=NAME/)
  })

  it('where it is read-only, for what writes', async () => {
    const { schema, url } = await newSchema()
    const store = openStoreAt(url)
    await openScope(store, 'run')
    await run(
      `CREATE ROLE looking_${schema} LOGIN PASSWORD 'made-up' IN ROLE stint`,
      `ALTER ROLE looking_${schema} SET default_transaction_read_only = on`,
    )
    const looking = address(schema, { user: `looking_${schema}` })
    expect(await refusalOf(looking)).toMatchObject({
      message: expect.stringMatching(/is read-only; use the address of the primary/),
    })
    expect(await openStoreAt(looking).read({ scopeId: 'run', atMs: 1 })).toHaveLength(1)
  })

  it('while its disk is full; what was used meanwhile is settled once there is space', async () => {
    const { schema, url } = await newSchema()
    const governor = createGovernor({ store: openStoreAt(url, { busyMs: 3_000 }) })
    const scope = await governor.open({ name: 'run', limits: { tokens: 100_000 } })
    // A real disk of that size would need a file system of its own: the server itself raises its error here.
    const fill = [
      `CREATE FUNCTION ${schema}.fill() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
      `CREATE TRIGGER fill BEFORE INSERT ON ${schema}.journal FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.fill()`,
    ]
    const call = { inputTokens: 100, maxOutputTokens: 50 }
    const outcome = await scope.callModel(call, async () => {
      await run(...fill)
      return { value: 'the answer', usage: { inputTokens: 90, outputTokens: 10 } }
    })
    expect(outcome).toMatchObject({ kind: 'done', value: 'the answer' })
    await expect(scope.callModel(call, () => Promise.reject(new Error('It was sent.')))).rejects.toMatchObject({
      ...THINGS,
      message: expect.stringMatching(/has no space left on its disk; free some/),
    })
    await run(`DROP TRIGGER fill ON ${schema}.journal`)
    await expect.poll(async () => (await scope.usage()).tokens.settled).toBe(100)
    expect((await scope.usage()).tokens).toMatchObject({ settled: 100, reserved: 0 })
    await governor.close()
  })

  it('with a misspelled parameter, before anything is sent', () => {
    const at = (parameters: string) => () =>
      createPostgresStore({ url: `postgres://ann:s3cret@db/agents?${parameters}` })
    expect(at('sslmod=require')).toThrow('is "sslmod", but must be "sslmode"')
    expect(at('sslmode=on')).toThrow('sslmode in the address is "on", but must be one of disable')
    expect(at('sslrootcert=nothing.pem')).toThrow('sslrootcert in the address is "nothing.pem"')
    expect(at('prepare=no')).toThrow('prepare in the address is "no"')
    expect(at('channel_binding=require')).toThrow('channel_binding')
  })

  it.each(['postgres:/ann:s3cret@db/x', 'postgres://ann:s3cret@db', 'postgres://ann:p/s3cret@db/x', 'ann:s3cret@db/x'])(
    'for an address that is not one (%j), without any of it in the error',
    (url) => {
      let error: unknown = null
      try {
        createPostgresStore({ url })
      } catch (thrown) {
        error = thrown
      }
      expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringContaining('HOST:PORT/DATABASE') })
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('s3cret')
    },
  )

  it('and an empty one is described as that', async () => {
    const { url } = await newSchema()
    expect(await describeLedger(url)).toBeNull()
    await openScope(openStoreAt(url), 'run')
    expect(await describeLedger(url)).toMatchObject({
      rights: 'owner',
      isReplica: false,
      isEncrypted: false,
      entries: 1,
    })
  })
})

describe('a schema that another version has migrated', () => {
  it('is refused, at the next operation of a process that had it open', async () => {
    const { schema, url } = await newSchema()
    const store = openStoreAt(url)
    await openScope(store, 'run')
    await spend(store, 'run', 'one')
    await run(`UPDATE ${schema}.ledger SET schema = schema + 1`)
    await expect(spend(store, 'run', 'two')).rejects.toMatchObject({
      code: 'ledger_newer',
      message: expect.stringMatching(/a newer Stint has migrated it. End this process/),
    })
    await expect(store.read({ scopeId: 'run', atMs: 1 })).rejects.toMatchObject({ code: 'ledger_newer' })
    expect(await refusalOf(url)).toMatchObject({ code: 'ledger_newer' })
    expect(await run(`SELECT count(*)::int AS calls FROM ${schema}.calls`)).toEqual([{ calls: 1 }])
  })

  it('is made by one process where many start at once', async () => {
    const { schema, url } = await newSchema()
    const stores = Array.from({ length: 8 }, () => openStoreAt(url))
    await Promise.all(stores.map((store, index) => openScope(store, `run-${index}`)))
    expect(await run(`SELECT count(*)::int AS roots FROM ${schema}.roots`)).toEqual([{ roots: 8 }])
  })
})

describe('a server that encrypts', () => {
  const HOST = 'localhost'
  let certificateFile = ''
  let strangerFile = ''

  beforeAll(async () => {
    const { folder } = database.server
    const { certificate, key } = selfSigned(HOST)
    const data = join(folder, 'data')
    for (const [name, text] of [
      ['server.crt', certificate],
      ['server.key', key],
    ] as const) {
      // Written into a file of the server's user.
      await run(`COPY (SELECT unnest(string_to_array($pem$${text.trimEnd()}$pem$, E'\n'))) TO '${join(data, name)}'`)
      chmodSync(join(data, name), 0o600)
    }
    certificateFile = join(data, 'server.crt')
    strangerFile = join(folder, 'stranger.crt')
    writeFileSync(strangerFile, selfSigned(HOST).certificate)
    await run('ALTER SYSTEM SET ssl = on', 'SELECT pg_reload_conf()')
  })

  const at = (schema: string, parameters: string, host = HOST): string =>
    address(schema, { parameters }).replace('127.0.0.1', host)

  it('can be switched on while it runs', async () => {
    await expect.poll(async () => (await run('SHOW ssl'))[0]).toEqual({ ssl: 'on' })
  })

  it.each(['', '&sslmode=prefer', '&sslmode=require'])('is spoken to encrypted (%j)', async (parameters) => {
    const { schema } = await newSchema()
    const url = at(schema, parameters)
    await spend(await opened(url), 'run', 'call')
    expect(await describeLedger(url)).toMatchObject({ isEncrypted: true })
  })

  it('is checked by its certificate, and by its name', async () => {
    expect(readFileSync(certificateFile, 'utf8')).toContain('CERTIFICATE')
    const { schema } = await newSchema()
    const root = `&sslrootcert=${certificateFile}`
    await spend(await opened(at(schema, `&sslmode=verify-full${root}`)), 'run', 'call')
    await spend(await opened(at(schema, `&sslmode=verify-ca${root}`, '127.0.0.1')), 'run', 'call-2')
    const messages = [
      await refusalOf(at(schema, `&sslmode=verify-full${root}`, '127.0.0.1')),
      await refusalOf(at(schema, '&sslmode=verify-full')),
      await refusalOf(at(schema, `&sslmode=verify-full&sslrootcert=${strangerFile}`)),
    ].map(({ message }) => message)
    expect(messages[0]).toMatch(/certificate for another host; use that name/)
    expect(messages[1]).toMatch(/sslrootcert=FILE/)
    expect(messages[2]).toMatch(/sslrootcert=FILE/)
  })

  it('is not asked for a password where it does not encrypt and must', async () => {
    const { schema } = await newSchema()
    await run('ALTER SYSTEM SET ssl = off', 'SELECT pg_reload_conf()')
    await expect.poll(async () => (await run('SHOW ssl'))[0]).toEqual({ ssl: 'off' })
    expect((await refusalOf(at(schema, '&sslmode=require'))).message).toMatch(
      /does not encrypt connections; turn that on/,
    )
  })

  async function opened(url: string) {
    const store = openStoreAt(url)
    await openScope(store, 'run')
    return store
  }
})
