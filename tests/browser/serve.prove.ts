import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { createGovernor } from '../../src/governor/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { BUILT_PROGRAM } from '../house/built-program.ts'
import { REPOSITORY } from '../house/repository.ts'
import { runProgramOrThrow } from '../house/run-program.ts'
import { createFolder, removeFolder } from '../house/temporary-folder.ts'
import { createTestServer } from '../integration/server/api-server.fixture.ts'
import { openBrowser } from './open-browser.ts'
import { openPage } from './open-page.ts'
import { startServer } from './start-server.ts'

const SPENDS = 9

let home: string
let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

beforeEach(() => {
  home = createFolder({})
  onTestFinished(() => removeFolder(home))
})

afterAll(() => browser.close())

function openGovernor() {
  const store = createSqliteStore({ file: join(home, 'ledger.db') })
  const governor = createGovernor({ store })
  onTestFinished(async () => {
    await governor.close()
    await store.dispose()
  })
  return governor
}

async function serve(port = 0) {
  const server = await startServer(home, port)
  onTestFinished(server.stop)
  return server
}

it('a link works once: the second time the page says so, and asks for a key', async () => {
  const server = await serve()
  const first = await openPage(browser)
  await first.page.goto(server.signIn)
  await expect.poll(() => first.page.getByRole('heading', { name: 'Live' }).count()).toBe(1)
  const second = await openPage(browser)
  await second.page.goto(server.signIn)
  await expect.poll(() => second.page.getByRole('alert').textContent()).toMatch(/link/i)
  expect(second.page.url()).not.toContain('sign-in')

  const env = { ...process.env, HOME: home, STINT_HOME: home, XDG_CONFIG_HOME: home }
  const args = [BUILT_PROGRAM, 'keys', 'create', '--role', 'viewer', '--json']
  const { key } = JSON.parse(runProgramOrThrow(process.execPath, args, { cwd: home, env }))
  await second.page.getByLabel('Key').fill(key)
  await second.page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => second.page.getByRole('heading', { name: 'Live' }).count()).toBe(1)
  expect([...first.offences, ...second.offences]).toEqual([])
})

it('a link that has expired says so, and takes a key', async () => {
  const server = await createTestServer({ pagesFolder: join(REPOSITORY, 'dist/web') })
  const { page, offences } = await openPage(browser)
  const link = server.createLink()
  server.nowMs += 5 * 60_000
  await page.goto(`${server.origin}/#sign-in=${link}`)
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/link/i)
  expect(page.url()).not.toContain('sign-in')
  expect(await page.getByRole('heading', { name: 'Live' }).count()).toBe(0)
  await page.getByLabel('Key').fill(await server.key('viewer'))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => page.getByRole('heading', { name: 'Live' }).count()).toBe(1)
  expect(offences).toEqual([])
  await page.close()
})

it('shows what another process spends within a second', async () => {
  const governor = openGovernor()
  const run = await governor.open({ name: 'triage', limits: { toolCalls: 50 } })
  const server = await serve()
  const { page } = await openPage(browser)
  await page.goto(server.signIn)
  await expect.poll(() => page.locator(`[data-scope="${run.id}"]`).count()).toBe(1)
  const tookMs: number[] = []
  for (let count = 1; count <= SPENDS; count++) {
    const before = performance.now()
    await run.callTool({ name: 'read' }, () => 'done')
    await page.locator(`[data-scope="${run.id}"] [aria-valuetext^="${count} settled"]`).waitFor()
    tookMs.push(Math.round(performance.now() - before))
  }
  console.log(`Spends of another process were on the page after ${tookMs.join(', ')} ms`)
  expect(tookMs.sort((a, b) => a - b)[Math.floor(SPENDS / 2)]).toBeLessThan(1000)
  await page.close()
})

it('a viewer sees the same pages without actions; an admin can act', async () => {
  const governor = openGovernor()
  const run = await governor.open({ name: 'triage', limits: { toolCalls: 5 } })
  const server = await serve()
  const env = { ...process.env, HOME: home, STINT_HOME: home, XDG_CONFIG_HOME: home }
  const args = [BUILT_PROGRAM, 'keys', 'create', '--role', 'viewer', '--json']
  const { key } = JSON.parse(runProgramOrThrow(process.execPath, args, { cwd: home, env }))
  for (const [isViewer, address] of [
    [false, server.signIn],
    [true, server.url],
  ] as const) {
    const { page } = await openPage(browser)
    await page.goto(address)
    if (isViewer) {
      await page.getByLabel('Key').fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await expect.poll(() => page.locator(`[data-scope="${run.id}"]`).count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Actions for triage' }).count()).toBe(isViewer ? 0 : 1)
    await page.goto(`${server.url}/#/scopes/${run.id}`)
    await expect.poll(() => page.getByRole('heading', { name: 'triage' }).count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(isViewer ? 0 : 1)
    await page.close()
  }
})

it('limits are changed and changed back, and a run is stopped after a confirmation', async () => {
  const governor = openGovernor()
  const run = await governor.open({ name: 'triage', limits: { toolCalls: 5 } })
  const server = await serve()
  const { page, offences } = await openPage(browser)
  await page.goto(server.signIn)
  await expect.poll(() => page.locator(`[data-scope="${run.id}"]`).count()).toBe(1)
  await page.goto(`${server.url}/#/scopes/${run.id}`)
  const max = async () => (await run.usage()).toolCalls.limit
  await page.getByRole('button', { name: 'Change limits' }).click()
  await page.getByRole('textbox', { name: /toolCalls/ }).fill('9')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect.poll(max).toBe(9)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(max).toBe(5)

  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(run.status()).toBe('running')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
  await expect.poll(() => run.status()).toBe('stopped')
  await expect.poll(() => page.locator('.page > header').textContent()).toContain('stopped')
  expect(offences).toEqual([])
})

it('a part of a request is granted, the next is denied, and a pause is undone', async () => {
  const governor = openGovernor()
  const run = await governor.open({ name: 'triage', limits: { toolCalls: { max: 2, action: 'ask' } } })
  const server = await serve()
  const { page, offences } = await openPage(browser)
  await page.goto(server.signIn)
  const row = page.locator(`[data-scope="${run.id}"]`)
  await expect.poll(() => row.count()).toBe(1)
  await row.getByRole('button', { name: 'Actions for triage' }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await expect.poll(() => run.status()).toBe('paused')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => run.status()).toBe('running')

  const work = () => run.callTool({ name: 'read' }, () => 'done')
  for (let count = 1; count <= 2; count++) expect(await work()).toMatchObject({ kind: 'done' })
  const third = work()
  await page.getByRole('button', { name: 'Part…' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('a few')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('not an amount')
  await page.getByRole('dialog').getByRole('textbox').fill('1')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  expect(await third).toMatchObject({ kind: 'done' })
  expect((await run.usage()).toolCalls.limit).toBe(3)

  const fourth = work()
  await page.getByRole('button', { name: 'Deny…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click()
  expect(await fourth).toMatchObject({ kind: 'refused' })
  await expect.poll(() => page.locator('.request').count()).toBe(0)
  expect(offences).toEqual([])
})

it('reconnects by itself after the server has restarted', async () => {
  const governor = openGovernor()
  const run = await governor.open({ name: 'triage', limits: { toolCalls: 5 } })
  const server = await serve()
  const { page } = await openPage(browser)
  await page.goto(server.signIn)
  const row = page.locator(`[data-scope="${run.id}"]`)
  await expect.poll(() => row.count()).toBe(1)
  await server.stop()
  await expect.poll(() => page.getByText('Reconnecting').count()).toBe(1)
  await run.callTool({ name: 'read' }, () => 'done')
  await serve(server.port)
  await expect.poll(() => row.getByRole('meter').getAttribute('aria-valuetext')).toContain('1 settled')
  await expect.poll(() => page.getByText('Reconnecting').count()).toBe(0)
})
