import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { REPOSITORY } from '../house/repository.ts'
import { createFolder, removeFolder } from '../house/temporary-folder.ts'
import { openBrowser } from './open-browser.ts'
import { openPage } from './open-page.ts'

const LINK = /The dashboard is at (\S+)/

// What `npm start` does once everything is built.
it.each([
  ['Ctrl-C', 'SIGINT'],
  ['its terminal is closed', 'SIGHUP'],
] as const)('npm start shows a team at work; after %s, no process and no file is left behind', async (_, signal) => {
  const folder = createFolder({})
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: REPOSITORY,
    env: { ...process.env, TMPDIR: folder, STINT_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    removeFolder(folder)
  })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  await expect.poll(() => said).toMatch(LINK)
  const link = LINK.exec(said)?.[1] ?? ''
  const browser = await openBrowser()
  const { page, offences } = await openPage(browser)
  await page.goto(link)
  await expect.poll(() => page.locator('[data-scope]').count()).toBeGreaterThan(5)
  await expect.poll(() => page.locator('[title="team:demo/reader"]').count()).toBeGreaterThan(0)
  await page.goto(`${new URL(link).origin}/#/spend`)
  await expect.poll(() => page.locator('.shares li').count()).toBeGreaterThan(5)
  expect(offences).toEqual([])
  await browser.close()
  expect(readdirSync(folder)).not.toEqual([])

  const ended = once(child, 'exit')
  child.kill(signal)
  expect(await ended).toEqual([0, null])
  expect(readdirSync(folder)).toEqual([])
  await expect(fetch(new URL(link).origin)).rejects.toThrow()
})
