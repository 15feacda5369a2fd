import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainText } from '../../web/src/format/plain-text.ts'
import { graveViolations } from './grave-violations.ts'
import { HOSTILE_STRINGS } from './hostile-strings.ts'
import { openBrowser } from './open-browser.ts'
import { openPlace, openScriptedPage } from './open-page.ts'
import { madeUpScopes, madeUpTeam } from './scripted/made-up-team.ts'
import { type ScriptedApi, startScriptedApi } from './scripted/scripted-api.ts'

const PLACES = ['#/', '#/scopes/dev', '#/spend'] as const

// In the page: what reaches beyond the window, unless the page is no wider than it.
const WIDER_THAN_WINDOW = `
  document.documentElement.scrollWidth <= innerWidth
    ? []
    : [...document.querySelectorAll('main *, .side *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth)
        .map((element) => element.tagName + ' ' + element.textContent.slice(0, 40))
`

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

describe('the page, with a made-up team', () => {
  let api: ScriptedApi

  beforeAll(async () => {
    api = await startScriptedApi(madeUpTeam())
  })

  afterAll(() => api.close())

  it('has no serious axe violations (npm run prove checks the other pages and the dark theme)', async () => {
    const opened = await openScriptedPage(browser)
    await openPlace(opened, api.url, '#/')
    expect(await graveViolations(opened.page)).toEqual([])
    expect(opened.offences).toEqual([])
    await opened.page.close()
  })

  it('fits on a phone and a laptop: nothing is wider than the window, however long a name is', async () => {
    const long = 'x'.repeat(120)
    const longNames = await startScriptedApi(madeUpTeam((text) => `${text} ${long}`))
    const opened = await openScriptedPage(browser)
    const { page } = opened
    const widerThanWindow = (): Promise<readonly string[]> => page.evaluate<readonly string[]>(WIDER_THAN_WINDOW)
    for (const width of [360, 1024]) {
      await page.setViewportSize({ width, height: 780 })
      for (const place of PLACES) {
        await openPlace(opened, longNames.url, place)
        await expect.poll(() => page.locator('main').textContent()).toContain(long)
        expect(await widerThanWindow(), `${place} at ${width}`).toEqual([])
      }
    }
    await page.setViewportSize({ width: 360, height: 780 })
    await longNames.close()
    await expect.poll(() => page.getByText('Reconnecting').count()).toBe(1)
    expect(await widerThanWindow(), 'reconnecting').toEqual([])
    await page.close()
  })

  it('works by keyboard: arrows through the tree, Enter into a run', async () => {
    const opened = await openScriptedPage(browser)
    const { page } = opened
    await openPlace(opened, api.url, '#/')
    const rows = page.getByRole('row')
    await expect.poll(() => rows.count()).toBeGreaterThan(5)
    await page.locator('[data-scope="core"]').focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => page.locator('[data-scope="dev"]').count()).toBe(0)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.locator('[data-scope="dev"]').count()).toBe(1)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate('document.activeElement?.dataset.scope')).toBe('dev')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('#/scopes/dev')
    await expect.poll(() => page.title()).toMatch(/^\(1\) developer/)
    await page.goBack()
    await expect.poll(() => page.title()).toBe('(1) Live · Stint')
    await page.close()
  })

  it('shows a change from the stream, and keeps filters in the address', async () => {
    const opened = await openScriptedPage(browser)
    const { page } = opened
    await openPlace(opened, api.url, '#/?find=qa')
    await expect.poll(() => api.followers).toBe(1)
    await expect.poll(() => page.locator('[data-scope]').count()).toBe(3)
    const qa = madeUpScopes().find(({ id }) => id === 'qa')!
    api.send('scopes', { scopes: [{ ...qa, status: 'paused' }], gone: [] })
    await expect.poll(() => page.locator('[data-scope="qa"]').textContent()).toContain('paused')
    await page.getByRole('searchbox').fill('research')
    await expect.poll(() => page.url()).toContain('find=research')
    await page.close()
  })

  it('shows a long transcript part by part, to its end', async () => {
    const lineOf = (from: number) => ({ at: '2026-11-18T12:00:00Z', type: 'note', note: `part at ${from}` })
    const long = await startScriptedApi({
      ...madeUpTeam(),
      'GET /api/tasks/:id/transcript': (query) => {
        const from = Number(query.get('from'))
        return { lines: [lineOf(from)], next: from + 500, hasMore: from < 1000 }
      },
    })
    const opened = await openScriptedPage(browser)
    const { page } = opened
    await openPlace(opened, long.url, '#/scopes/dev')
    const more = page.getByRole('button', { name: 'Show what came next' })
    const transcript = page.locator('.transcript')
    for (const from of [0, 500]) {
      await expect.poll(() => transcript.textContent()).toContain(`part at ${from}`)
      await more.click()
    }
    await expect.poll(() => transcript.textContent()).toMatch(/part at 0.*part at 500.*part at 1000/)
    expect(await more.count()).toBe(0)
    await page.close()
    await long.close()
  })

  it('says so if there are more scopes than the server sends', async () => {
    const many = await startScriptedApi({
      ...madeUpTeam(),
      'GET /api/tree': { cursor: '1', scopes: madeUpScopes(), isTruncated: true },
    })
    const opened = await openScriptedPage(browser)
    const { page } = opened
    await openPlace(opened, many.url, '#/')
    await expect.poll(() => page.getByRole('note').textContent()).toContain('stint status --all')
    await openPlace(opened, api.url, '#/')
    await expect.poll(() => page.locator('[data-scope]').count()).toBeGreaterThan(5)
    expect(await page.getByRole('note').count()).toBe(0)
    await page.close()
    await many.close()
  })
})

describe('150 hostile strings', () => {
  const all = HOSTILE_STRINGS.join(' ')
  let api: ScriptedApi

  beforeAll(async () => {
    api = await startScriptedApi(madeUpTeam((text) => `${text} ${all}`))
  })

  afterAll(() => api.close())

  const missingIn = (text: string | null): readonly string[] => {
    const shown = plainText(text ?? '')
    return HOSTILE_STRINGS.filter((hostile) => !shown.includes(plainText(hostile)))
  }
  const hits = (page: Page): Promise<unknown> => page.evaluate(() => Reflect.get(globalThis, 'hit'))

  it('are shown literally in every field, and run nothing', async () => {
    const opened = await openScriptedPage(browser)
    const { page, offences } = opened
    for (const place of PLACES) {
      await openPlace(opened, api.url, place)
      await expect.poll(() => page.locator('main').textContent()).toContain(plainText(HOSTILE_STRINGS[0] ?? ''))
      expect(missingIn(await page.locator('main').textContent())).toEqual([])
      const foreign = page
        .locator('main')
        .locator('img, iframe, object, embed, video, audio, script, style, base, meta, form')
      expect(await foreign.count()).toBe(0)
      expect(await hits(page)).toBeUndefined()
    }
    expect(offences).toEqual([])
    await page.close()
  })

  it('are shown literally in every dialog and message', async () => {
    const opened = await openScriptedPage(browser)
    const { page, offences } = opened
    await openPlace(opened, api.url, '#/')
    const dialog = page.getByRole('dialog')
    const menuOf = async (scope: string, action: string): Promise<void> => {
      await page.locator(`[data-scope="${scope}"] [aria-haspopup="menu"]`).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    const dialogs: readonly (() => Promise<void>)[] = [
      () => menuOf('dev', 'Stop'),
      () => menuOf('dev', 'Change limits'),
      () => menuOf('arch', 'Resume'),
      () => page.getByRole('button', { name: 'Part…' }).click(),
      () => page.getByRole('button', { name: 'Deny…' }).click(),
    ]
    for (const open of dialogs) {
      await open()
      await expect.poll(() => dialog.count()).toBe(1)
      expect(missingIn(await dialog.textContent())).toEqual([])
      expect(await dialog.locator('img, iframe, object, embed, script, style, base, meta').count()).toBe(0)
      await page.keyboard.press('Escape')
      await expect.poll(() => dialog.count()).toBe(0)
    }
    await menuOf('dev', 'Pause')
    const toast = page.locator('.toast')
    await expect.poll(async () => missingIn(await toast.textContent())).toEqual([])
    expect(await toast.locator('img, iframe, script, style').count()).toBe(0)
    expect(await hits(page)).toBeUndefined()
    expect(offences).toEqual([])
    await page.close()
  })
})
