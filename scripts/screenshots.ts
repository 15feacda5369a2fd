import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../tests/browser/open-browser.ts'
import { openDashboard } from './dashboard/open-dashboard.ts'

// `npm run screenshots`: the pages in both themes and three widths, into screenshots/, and the pictures of the docs with
// `-- --docs`.
const ROOT = join(import.meta.dirname, '..')
const WIDTHS = [360, 1024, 1600] as const
const THEMES = ['light', 'dark'] as const
const LONGEST_WAIT_MS = 240_000
const MOST_BYTES = 60_000

/** What the docs show. */
const DOCS = [
  { name: 'dashboard-live', place: 'live', theme: 'light', width: 1180, height: 800 },
  { name: 'dashboard-run', place: 'run', theme: 'dark', width: 1180, height: 760 },
  { name: 'dashboard-spend', place: 'spend', theme: 'light', width: 1180, height: 800 },
  { name: 'dashboard-phone', place: 'live', theme: 'dark', width: 360, height: 720 },
] as const

const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort())
const dashboard = await openDashboard(stopping.signal)
const browser = await openBrowser()
try {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(dashboard.signIn)
  await page.locator('.request').first().waitFor({ timeout: LONGEST_WAIT_MS })
  await open(page, '#/?find=team:core/developer', 'light')
  const run = await page.getByRole('link', { name: 'developer', exact: true }).first().getAttribute('href')
  const places = { live: '#/', run: run ?? '#/', spend: '#/spend' }
  if (process.argv.includes('--docs')) await takeForDocs(page, places)
  else await takeAll(page, places)
} finally {
  stopping.abort()
  await browser.close()
  await dashboard.close()
}

type Places = Readonly<Record<'live' | 'run' | 'spend', string>>

async function takeAll(page: Page, places: Places): Promise<void> {
  const folder = join(ROOT, 'screenshots')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const theme of THEMES) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width === 360 ? 780 : 900 })
      for (const [name, place] of Object.entries(places)) {
        await open(page, place, theme)
        await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) })
      }
    }
  }
}

async function takeForDocs(page: Page, places: Places): Promise<void> {
  for (const { name, place, theme, width, height } of DOCS) {
    await page.setViewportSize({ width, height })
    await open(page, places[place], theme)
    const picture = await asWebp(page, await page.screenshot())
    if (picture.length > MOST_BYTES) throw new Error(`${name} has ${picture.length} bytes, at most ${MOST_BYTES} fit.`)
    writeFileSync(join(ROOT, 'docs/images', `${name}.webp`), picture)
  }
}

/** A picture in a third of the space. The browser itself can write it. */
async function asWebp(page: Page, picture: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage()
  const text = await blank.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob('${picture.toString('base64')}'), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes]))
    const canvas = new OffscreenCanvas(image.width, image.height)
    canvas.getContext('2d').drawImage(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })
    return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())))
  })()`)
  await blank.close()
  return Buffer.from(text, 'base64')
}

async function open(page: Page, place: string, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
  await page.locator('.page h1').waitFor()
  // Until what the page asks for next has come.
  await page.waitForTimeout(1000)
}
