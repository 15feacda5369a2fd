import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainText } from '../../web/src/format/plain-text.ts'
import { graveViolations } from './grave-violations.ts'
import { HOSTILE_STRINGS } from './hostile-strings.ts'
import { openBrowser } from './open-browser.ts'
import { openPlace, openScriptedPage } from './open-page.ts'
import { madeUpScopes, madeUpTeam } from './scripted/made-up-team.ts'
import { type ScriptedApi, startScriptedApi } from './scripted/scripted-api.ts'

const PLACES = ['#/', '#/scopes/dev', '#/spend'] as const

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

  it('fits on a phone: nothing is wider than the window', async () => {
    const opened = await openScriptedPage(browser, { viewport: { width: 360, height: 780 } })
    for (const place of PLACES) {
      await openPlace(opened, api.url, place)
      const beyond = await opened.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(beyond, place).toBeLessThanOrEqual(0)
    }
    await opened.page.close()
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
})

describe('150 hostile strings', () => {
  it('are shown literally in every field, and run nothing', async () => {
    const all = HOSTILE_STRINGS.join(' ')
    const api = await startScriptedApi(madeUpTeam((text) => `${text} ${all}`))
    const opened = await openScriptedPage(browser)
    const { page, offences } = opened
    for (const place of PLACES) {
      await openPlace(opened, api.url, place)
      await expect.poll(() => page.locator('main').textContent()).toContain(plainText(HOSTILE_STRINGS[0] ?? ''))
      const text = plainText((await page.locator('main').textContent()) ?? '')
      expect(HOSTILE_STRINGS.filter((hostile) => !text.includes(plainText(hostile)))).toEqual([])
      const foreign = page
        .locator('main')
        .locator('img, iframe, object, embed, video, audio, script, style, base, meta, form')
      expect(await foreign.count()).toBe(0)
      expect(await page.evaluate(() => Reflect.get(globalThis, 'hit'))).toBeUndefined()
    }
    expect(offences).toEqual([])
    await page.close()
    await api.close()
  })
})
