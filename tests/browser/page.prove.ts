import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ScopeRow } from '../../src/server/contract.ts'
import { graveViolations } from './grave-violations.ts'
import { HOSTILE_STRINGS } from './hostile-strings.ts'
import { openBrowser } from './open-browser.ts'
import { openPlace, openScriptedPage } from './open-page.ts'
import { madeUpTeam } from './scripted/made-up-team.ts'
import { startScriptedApi } from './scripted/scripted-api.ts'

const SCOPES = 10_000
const DELTAS_PER_SECOND = 100
const SECONDS = 5
const LONGEST_TASK_MS = 100
// 450 pages.
const LONGEST_MS = 1_800_000

// In the page: how long each task blocked it.
const OBSERVE_TASKS = `
  globalThis.tasks = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' })
`

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

function manyScopes(): readonly ScopeRow[] {
  const usage: ScopeRow['usage'] = {
    toolCalls: {
      unit: 'count',
      limit: 1000,
      settled: 0,
      reserved: 1,
      held: 0,
      remaining: 999,
      overrun: 0,
      resetsAt: null,
      per: null,
      action: 'terminate',
      written: 'turns',
    },
  }
  return Array.from({ length: SCOPES }, (_, index) => ({
    id: `scope-${index}`,
    parentId: index % 100 === 0 ? null : `scope-${index - (index % 100)}`,
    name: `agent-${index}`,
    path: `agent-${index}`,
    kind: 'agent',
    status: 'running',
    agentType: 'developer',
    openedAtMs: index,
    closedAtMs: null,
    activeMs: 0,
    openChildren: 0,
    isStale: false,
    pause: null,
    usage,
  }))
}

it.each([
  ['all of them', '#/'],
  ['those of a status', '#/?status=running'],
])('10,000 scopes with 100 changes a second, %s: no task of the page takes more than 100 ms', async (_, place) => {
  const scopes = manyScopes()
  const api = await startScriptedApi({ ...madeUpTeam(), 'GET /api/tree': { cursor: '1', scopes, isTruncated: false } })
  const opened = await openScriptedPage(browser)
  const { page } = opened
  await page.addInitScript(OBSERVE_TASKS)
  await openPlace(opened, api.url, place)
  await expect.poll(() => api.followers).toBe(1)
  await expect.poll(() => page.locator('[data-scope]').count()).toBeGreaterThan(5)
  expect(await page.locator('[data-scope]').count()).toBeLessThan(60)
  const loading = await page.evaluate<readonly number[]>('tasks.splice(0)')
  let sent = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const changed = Array.from({ length: DELTAS_PER_SECOND / 10 - 2 }, (_, index) => {
        const scope = scopes[(sent * 7919 + index) % SCOPES]!
        const turns = scope.usage.toolCalls!
        return { ...scope, activeMs: sent, usage: { toolCalls: { ...turns, settled: sent } } }
      })
      // Of each ten, one starts and one ends: those change the order of the rows too.
      const started = { ...scopes[1]!, id: `started-${sent}`, openedAtMs: SCOPES + sent }
      const ended = { ...scopes[sent * 100 + 50]!, status: 'completed' as const, closedAtMs: SCOPES + sent }
      api.send('scopes', { scopes: [...changed, started, ended], gone: [] })
      sent++
      if (sent < SECONDS * 10) return
      clearInterval(timer)
      resolve()
    }, 100)
  })
  const first = scopes.at(-100)!
  const row = page.locator(`[data-scope="${first.id}"]`)
  await expect.poll(() => row.count()).toBe(1)
  api.send('scopes', { scopes: [{ ...first, name: 'told-last' }], gone: [] })
  await expect.poll(() => row.textContent()).toContain('told-last')
  const tasks = await page.evaluate<readonly number[]>('tasks')
  const longest = (durations: readonly number[]): number => Math.round(Math.max(0, ...durations))
  console.log(
    `10,000 scopes: ${tasks.length} tasks over 50 ms, the longest ${longest(tasks)} ms; while loading ${longest(loading)} ms`,
  )
  expect(tasks.filter((duration) => duration > LONGEST_TASK_MS)).toEqual([])
  // A task of that length would have been seen.
  await page.evaluate(`setTimeout(() => { for (const end = performance.now() + 150; performance.now() < end;); })`)
  await expect.poll(() => page.evaluate<number>('Math.max(0, ...tasks)')).toBeGreaterThan(LONGEST_TASK_MS)
  await page.close()
  await api.close()
})

it('each of 150 hostile strings alone in every field runs nothing', { timeout: LONGEST_MS }, async () => {
  const opened = await openScriptedPage(browser)
  for (const hostile of HOSTILE_STRINGS) {
    const api = await startScriptedApi(madeUpTeam(() => hostile))
    for (const place of ['#/', '#/scopes/dev', '#/spend']) {
      await openPlace(opened, api.url, place)
      expect(await opened.page.evaluate(() => Reflect.get(globalThis, 'hit')), hostile).toBeUndefined()
    }
    await opened.page.goto('about:blank')
    await api.close()
  }
  expect(opened.offences).toEqual([])
  await opened.page.close()
})

it.each(['light', 'dark'] as const)(
  'axe finds nothing serious or critical on any page, in the %s theme',
  async (colorScheme) => {
    const api = await startScriptedApi(madeUpTeam())
    const opened = await openScriptedPage(browser, { colorScheme })
    const { page } = opened
    for (const place of ['#/', '#/scopes/dev', '#/spend', '#/nowhere']) {
      await page.goto('about:blank')
      await openPlace(opened, api.url, place)
      expect(await graveViolations(page), place).toEqual([])
    }
    // What opens above a page.
    await openPlace(opened, api.url, '#/')
    await page.locator('[data-scope="dev"] [aria-haspopup="menu"]').click()
    expect(await graveViolations(page), 'menu').toEqual([])
    await page.getByRole('menuitem', { name: 'Change limits' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await graveViolations(page), 'limits').toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Part…' }).click()
    expect(await graveViolations(page), 'part').toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await graveViolations(page), 'sign-in').toEqual([])
    await opened.page.close()
    await api.close()
  },
)
