import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGovernor, type Governor } from '../../src/governor/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { createFolder, removeFolder } from '../house/temporary-folder.ts'
import { openBrowser } from './open-browser.ts'
import { openPage } from './open-page.ts'
import { type ServedPage, startServer } from './start-server.ts'

let home: string
let browser: Browser
let server: ServedPage
let store: ReturnType<typeof createSqliteStore>
let governor: Governor

beforeAll(async () => {
  home = createFolder({})
  store = createSqliteStore({ file: join(home, 'ledger.db') })
  governor = createGovernor({ store })
  ;[server, browser] = await Promise.all([startServer(home), openBrowser()])
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  await governor.close()
  await store.dispose()
  removeFolder(home)
})

// The agents run in this process, the server in another: they only share the ledger.
it('shows what another process spends, pauses and resumes it, and resumes it again after an approval', async () => {
  const { page, offences } = await openPage(browser)
  await page.goto(server.signIn)
  await expect.poll(() => page.getByText('Nothing is running').count()).toBe(1)
  expect(page.url()).not.toContain('sign-in')
  const loadMs = await page.evaluate<number>("performance.getEntriesByType('navigation')[0].duration")
  console.log(`The page was loaded in ${Math.round(loadMs)} ms`)

  const run = await governor.open({ name: 'triage', limits: { toolCalls: { max: 2, action: 'ask' } } })
  const row = page.locator(`[data-scope="${run.id}"]`)
  const meter = row.getByRole('meter')
  const work = () => run.callTool({ name: 'read' }, () => 'done')
  await work()
  await expect.poll(() => meter.getAttribute('aria-valuetext')).toBe('1 settled, 0 reserved, 0 held, 1 remaining of 2')

  const act = async (name: string): Promise<void> => {
    await row.getByRole('button', { name: 'Actions for triage' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Pause')
  await expect.poll(() => row.textContent()).toContain('paused')
  await expect.poll(() => run.status()).toBe('paused')
  await act('Resume')
  await expect.poll(() => run.status()).toBe('running')
  expect(await work()).toMatchObject({ kind: 'done' })

  const third = work()
  const request = page.locator('.request')
  await expect.poll(() => request.textContent()).toContain('triage')
  await request.getByRole('button', { name: /^Approve \d/ }).click()
  expect(await third).toMatchObject({ kind: 'done' })
  await expect.poll(() => request.count()).toBe(0)
  await expect.poll(() => meter.getAttribute('aria-valuetext')).toContain('3 settled')

  await page.goto(`${server.url}/#/scopes/${run.id}`)
  await expect.poll(() => page.locator('.timeline li').count()).toBeGreaterThan(5)
  await run.close()
  await expect.poll(() => page.locator('.page > header').textContent()).toContain('completed')
  expect(offences).toEqual([])
  await page.close()
})
