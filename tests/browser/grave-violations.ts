import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds serious or critical on a page, each with the first affected element. */
export async function graveViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const { violations, passes } = await page.evaluate<AxeResults>('axe.run()')
  // An empty page has no violations either.
  expect(passes.length).toBeGreaterThan(15)
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}
