import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../tests/browser/open-browser.ts'
import { startServer } from '../tests/browser/start-server.ts'
import { createFolder, removeFolder } from '../tests/house/temporary-folder.ts'
import { openDashboard } from './dashboard/open-dashboard.ts'

// `npm run screenshots`: the pages with and without work, their dialogs and the way in, in both themes and three widths,
// into screenshots/. With `-- --docs`: the pictures of the docs.
const ROOT = join(import.meta.dirname, '..')
const WIDTHS = [360, 1024, 1600] as const
const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const LONGEST_WAIT_MS = 120_000
const MOST_BYTES = 60_000
const MOST_HEIGHT = 4000
// Until what a page asks for has come, and is drawn.
const SETTLES_MS = 700

// In the page: what names the machine that takes the pictures is not in the docs.
const HIDE_MACHINE = `
  for (const fact of document.querySelectorAll('.facts > div'))
    if (['Command', 'By', 'On', 'In'].includes(fact.firstElementChild.textContent)) fact.remove()
`

/** What the docs show. */
const DOCS = [
  { name: 'dashboard-live', place: 'live', theme: 'light', width: 1180, height: 800 },
  { name: 'dashboard-run', place: 'transcript', theme: 'dark', width: 1180, height: 800 },
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
  const places = {
    live: '#/',
    run: await placeOf(page, 'team:core/developer'),
    transcript: await placeOf(page, 'team:demo/reader-of-a-part'),
    spend: '#/spend',
  }
  if (process.argv.includes('--docs')) await takeForDocs(page, places)
  else {
    const folder = join(ROOT, 'screenshots')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    await takeAll(folder, page, places)
    await takeWithoutWork(folder, await context.newPage())
  }
} finally {
  stopping.abort()
  await browser.close()
  await dashboard.close()
}

type Places = Readonly<Record<'live' | 'run' | 'transcript' | 'spend', string>>

/** The address of the latest run of an agent. */
async function placeOf(page: Page, path: string): Promise<string> {
  await open(page, `#/?find=${path}&ended=yes`, 'light')
  const link = page.locator(`.tree a[title="${path}"]`).first()
  await link.waitFor({ timeout: LONGEST_WAIT_MS })
  return (await link.getAttribute('href')) ?? '#/'
}

/** Each page whole, and what opens above it. */
async function takeAll(folder: string, page: Page, places: Places): Promise<void> {
  await inEachLook(page, async (theme, width) => {
    const file = (name: string): string => join(folder, `${name}-${theme}-${width}.png`)
    for (const [name, place] of Object.entries(places)) {
      await open(page, place, theme)
      await takeWhole(page, file(name))
    }
    await open(page, '#/spend?since=7d&by=team', theme)
    await takeWhole(page, file('spend-by-team'))
    await open(page, '#/?status=failed', theme)
    await takeWhole(page, file('live-without-matches'))
    await open(page, '#/?find=team:core', theme)
    await page.getByRole('button', { name: 'Actions for team:core' }).click()
    await page.screenshot({ path: file('menu') })
    await page.getByRole('menuitem', { name: 'Change limits' }).click()
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    await page.screenshot({ path: file('limits-dialog') })
    await page.keyboard.press('Escape')
    const part = page.getByRole('button', { name: 'Part…' }).first()
    if ((await part.count()) === 0) return
    await part.click()
    await page.screenshot({ path: file('part-dialog') })
    await page.keyboard.press('Escape')
  })
}

/** In a window as high as the page: a list that only has the rows in view has all of them then. */
async function takeWhole(page: Page, path: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1024, height: 900 }
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ ...size, height: Math.max(size.height, Math.min(MOST_HEIGHT, height)) })
  await page.waitForTimeout(SETTLES_MS)
  await page.screenshot({ path })
  await page.setViewportSize(size)
}

/** What a new user sees: the way in, and pages without work. */
async function takeWithoutWork(folder: string, page: Page): Promise<void> {
  const home = createFolder({})
  const server = await startServer(home)
  try {
    await inEachLook(page, async (theme, width) => {
      await page.emulateMedia({ colorScheme: theme })
      await page.goto(`${server.url}/#sign-in=used-up`)
      await page.getByRole('alert').waitFor()
      await page.screenshot({ path: join(folder, `sign-in-${theme}-${width}.png`) })
    })
    await page.goto('about:blank')
    await page.goto(server.signIn)
    await inEachLook(page, async (theme, width) => {
      for (const [name, place] of [
        ['live-empty', '#/'],
        ['spend-empty', '#/spend'],
        ['not-found', '#/nowhere'],
      ] as const) {
        await open(page, place, theme)
        await takeWhole(page, join(folder, `${name}-${theme}-${width}.png`))
      }
    })
  } finally {
    await server.stop()
    removeFolder(home)
  }
}

async function inEachLook(page: Page, take: (theme: Theme, width: number) => Promise<void>): Promise<void> {
  for (const theme of THEMES) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width === 360 ? 780 : 900 })
      await take(theme, width)
    }
  }
}

async function takeForDocs(page: Page, places: Places): Promise<void> {
  for (const { name, place, theme, width, height } of DOCS) {
    await page.setViewportSize({ width, height })
    await open(page, places[place], theme)
    await page.evaluate(HIDE_MACHINE)
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

async function open(page: Page, place: string, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
  await page.locator('main h1, main h2').first().waitFor()
  await page.waitForTimeout(SETTLES_MS)
}
