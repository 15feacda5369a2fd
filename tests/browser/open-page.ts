import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

export interface OpenedPage {
  readonly page: Page
  /** What a well-behaved page never has: errors, dialogs, requests to other servers, violations of the content policy. */
  readonly offences: readonly string[]
}

/**
 * A new page that notes what it should not do. `locale`: under a plain `C.UTF-8` the language of the browser would be
 * one that `Intl` refuses.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const page = await browser.newPage({ locale: 'en-US', ...options })
  const offences: string[] = []
  page.on('pageerror', ({ message }) => offences.push(`error: ${message}`))
  page.on('dialog', (dialog) => {
    offences.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) offences.push(`policy: ${message.text()}`)
  })
  page.on('request', (request) => {
    const isFirst = page.url() === 'about:blank'
    if (isFirst || !request.url().startsWith('http')) return
    if (new URL(request.url()).origin !== new URL(page.url()).origin) offences.push(`request: ${request.url()}`)
  })
  return { page, offences }
}

/** A new page for the scripted API, which asks for no sign-in. */
export async function openScriptedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const opened = await openPage(browser, options)
  // An empty page has no storage.
  await opened.page.addInitScript("if (origin !== 'null') sessionStorage.setItem('stint-session', 'scripted')")
  return opened
}

/** Opens a place of the page, and waits until it is shown. */
export async function openPlace({ page }: OpenedPage, url: string, place: string): Promise<void> {
  await page.goto(`${url}/${place}`)
  await expect.poll(() => page.locator('main h1').count()).toBeGreaterThan(0)
}
