import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createGatewayKey, hashGatewayKey } from '../../../src/gateway/keys/index.ts'
import { createSqliteStore, verifyLedger } from '../../../src/stores/sqlite/index.ts'
import {
  createGate,
  createScriptedProvider,
  type ScriptedProvider,
  sayOnce,
} from '../../../src/testing/provider/index.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { runProgram } from '../../house/run-program.ts'
import { createFolder, removeFolder } from '../../house/temporary-folder.ts'

const PROVIDER_KEY = 'sk-canary-of-the-provider'
const MODEL = 'claude-opus-4-5'

describe('stint serve and stint keys, as programs', () => {
  let folder = ''
  let ledger = ''
  let provider: ScriptedProvider
  let env: NodeJS.ProcessEnv = {}
  /** The output of all programs, except for the answer that shows a key. */
  let said = ''

  beforeEach(async () => {
    provider = await createScriptedProvider({ apiKeys: [PROVIDER_KEY] })
    const upstreams = `upstreams:
  anthropic: { baseUrl: "${provider.url}", apiKeyEnv: PROVIDER_KEY }
  openai: { baseUrl: "${provider.openaiUrl}", apiKeyEnv: PROVIDER_KEY }\n`
    folder = createFolder({ 'project/.keep': '', 'config/stint/config.yaml': upstreams })
    ledger = join(folder, 'state/ledger.db')
    const places = { HOME: folder, STINT_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') }
    env = { PATH: process.env.PATH ?? '', ...places, PROVIDER_KEY }
    said = ''
    onTestFinished(async () => {
      await provider.close()
      removeFolder(folder)
    })
  })

  const stint = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = runProgram(process.execPath, [BUILT_PROGRAM, ...args], {
      cwd: join(folder, 'project'),
      env,
    })
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
    said += `${args.includes('create') ? '' : stdout}${stderr}`
    return stdout
  }

  const createKey = (): { readonly key: string; readonly id: string } => {
    stint('budget', 'set', 'team:core', '--limit', 'cost=100/day')
    const { key, record } = JSON.parse(stint('keys', 'create', 'team:core', '--json'))
    return { key, id: record.id }
  }

  /** The same without starting programs, which takes seconds. */
  const addKey = async (livesMs: number | null = null): Promise<string> => {
    const store = createSqliteStore({ file: ledger, createFolder: true })
    const key = createGatewayKey()
    const atMs = Date.now()
    const scopes = [{ id: 'team:core', name: 'team:core', kind: 'lasting', owner: null, limits: [] }] as const
    await store.open({ parentId: null, scopes, atMs })
    const expiresAtMs = livesMs === null ? null : atMs + livesMs
    const request = { keyId: key.slice(-8), scopeId: 'team:core', hash: hashGatewayKey(key), expiresAtMs, atMs }
    expect(await store.addKey(request)).toMatchObject({ kind: 'added' })
    await store.dispose()
    return key
  }

  /** A gateway in a process of its own, once it listens. */
  const serve = async (...flags: readonly string[]) => {
    const args = [BUILT_PROGRAM, 'serve', '--port', '0', '--json', ...flags]
    const child = spawn(process.execPath, args, {
      cwd: join(folder, 'project'),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    child.stderr.on('data', (text) => {
      said += text
    })
    const url = await firstLine(child).then((line) => JSON.parse(line).url as string)
    return { child, ended, url }
  }

  const firstLine = (child: ChildProcess): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = ''
      child.stdout!.on('data', (chunk) => {
        text += chunk
        said += chunk
        if (text.includes('\n')) resolve(text)
      })
      child.on('close', (status) => reject(new Error(`it ended with ${status}: ${said}`)))
    })

  const ask = (client: Anthropic) =>
    client.messages.create({ model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] })
  const anthropic = (url: string, apiKey: string): Anthropic =>
    new Anthropic({ baseURL: `${url}/anthropic`, apiKey, maxRetries: 0 })

  const settledCost = async (): Promise<{ settled: number; reserved: number }> => {
    const store = createSqliteStore({ file: ledger })
    try {
      return (await store.read({ scopeId: 'team:core', atMs: Date.now() }))!.at(-1)!.totals.cost
    } finally {
      await store.dispose()
    }
  }

  it("I8: the gateway's key and the provider's key are in no file, log, output or error", async () => {
    const { key, id } = createKey()
    const { child, ended, url } = await serve()
    await ask(anthropic(url, key))
    const openai = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: key, maxRetries: 0 })
    await openai.chat.completions.create({
      model: 'gpt-4.1',
      max_tokens: 50,
      messages: [{ role: 'user', content: 'hello' }],
    })
    for (const { headers } of provider.requests) {
      expect(JSON.stringify(headers)).toContain(PROVIDER_KEY)
      expect(JSON.stringify(headers)).not.toContain(key)
    }
    expect(provider.requestCount).toBe(2)
    expect(await settledCost()).toEqual({ settled: provider.book().costNanoUsd, reserved: 0 })
    stint('keys', 'revoke', id)
    await waitUntilRefused(() => ask(anthropic(url, key)))
    const refusal = await ask(anthropic(url, key)).catch((error) => error)
    said += `${refusal.message}${JSON.stringify(refusal.error)}`
    stint('keys', 'list')
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(verifyLedger(ledger)).toMatchObject({ ok: true })

    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.length).toBeGreaterThan(2)
    const texts = [said, ...files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))]
    for (const text of texts) {
      expect(text.includes(key.slice('stint_'.length))).toBe(false)
      expect(text.includes(PROVIDER_KEY)).toBe(false)
    }
    // The ledger really is among them.
    expect(texts.some((text) => text.includes(hashGatewayKey(key)))).toBe(true)
  })

  it('I5: a missing, invalid or expired key, and one in the path, are refused before a byte goes upstream', async () => {
    const lasting = await addKey()
    const { url } = await serve()
    const key = await addKey(1_000)
    const bad = `stint_${'A'.repeat(43)}`
    await waitUntilRefused(() => ask(anthropic(url, key)))
    const before = provider.requestCount
    for (const each of [key, bad, 'sk-other', 'stint_']) {
      await expect(ask(anthropic(url, each))).rejects.toMatchObject({ status: 401 })
    }
    const inPath = new Anthropic({ baseURL: `${url}/k/${lasting}/anthropic`, apiKey: 'sk-other', maxRetries: 0 })
    await expect(ask(inPath)).rejects.toMatchObject({ status: 401 })
    expect(provider.requestCount).toBe(before)
    expect(await ask(anthropic(url, lasting))).toMatchObject({ type: 'message' })
  })

  it('when stopped, lets a request in flight finish and accepts no other; nothing stays reserved', async () => {
    const key = await addKey()
    const startGate = createGate()
    provider.play(() => ({ text: 'done', startGate }))
    const { child, ended, url } = await serve()
    const answer = ask(anthropic(url, key))
    await provider.until(({ inFlight }) => inFlight === 1)
    const stopping = new Promise<void>((resolve) =>
      child.stderr.on('data', (text) => /Stopping/.test(text) && resolve()),
    )
    child.kill('SIGINT')
    await stopping
    await expect(ask(anthropic(url, key))).rejects.toThrow()
    startGate.open()
    expect(await answer).toMatchObject({ content: [{ type: 'text', text: 'done' }] })
    expect(await ended).toBe(0)
    expect(provider.requestCount).toBe(1)
    expect(await settledCost()).toEqual({ settled: provider.book().costNanoUsd, reserved: 0 })
  })

  it('when stopped twice, cuts what is in flight and charges it', async () => {
    const key = await addKey()
    const startGate = createGate()
    provider.play(() => ({ text: 'done', startGate }))
    const { child, ended, url } = await serve()
    const answer = ask(anthropic(url, key)).catch(() => 'cut')
    await provider.until(({ inFlight }) => inFlight === 1)
    const stopping = new Promise<void>((resolve) =>
      child.stderr.on('data', (text) => /Stopping/.test(text) && resolve()),
    )
    child.kill('SIGINT')
    await stopping
    child.kill('SIGINT')
    expect(await answer).toBe('cut')
    expect(await ended).toBe(0)
    const { settled, reserved } = await settledCost()
    expect(reserved).toBe(0)
    expect(settled).toBeGreaterThan(0)
  })

  it('says why it does not start, and creates no ledger', () => {
    env = { ...env, PROVIDER_KEY: '' }
    const { status, stderr } = runProgram(process.execPath, [BUILT_PROGRAM, 'serve'], {
      cwd: join(folder, 'project'),
      env,
    })
    expect(status).toBe(2)
    expect(stderr).toContain('The environment variable PROVIDER_KEY is')
    expect(existsSync(ledger)).toBe(false)
  })

  /** Asks until it is refused; the test's own timeout is the bound. */
  async function waitUntilRefused(attempt: () => Promise<unknown>): Promise<void> {
    provider.play(sayOnce('hello'))
    for (;;) {
      const status = await attempt().then(
        () => 200,
        (error) => error.status,
      )
      if (status === 401) return
      expect(status).toBe(200)
    }
  }
})
