import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../src/config/parse-config.ts'
import { readYaml } from '../src/config/read-document.ts'
import { SETTING_NAMES } from '../src/config/settings.ts'
import { withTables } from './config-tables.ts'

const page = readFileSync(new URL('../docs/reference/config.md', import.meta.url), 'utf8')

describe('docs/reference/config.md', () => {
  it('matches the tables that the code generates (npm run schemas writes them)', () => {
    expect(page).toBe(withTables(page))
  })

  it('explains every setting, and which ones an untrusted project can set', () => {
    for (const name of SETTING_NAMES) expect(page).toContain(`| \`${name}\` | `)
    const ignored = [...page.matchAll(/^\| `(\w+)` .* \| ignored \|$/gm)].map(([, name]) => name)
    const needTrust = [
      'store',
      'team',
      'user',
      'budgets',
      'prices',
      'log',
      'history',
      'upstreams',
      'providers',
      'mcpServers',
      'onAsk',
      'alerts',
      'serve',
      'webhooks',
    ]
    expect(ignored.sort()).toEqual([...needTrust, 'timeZone'].sort())
  })

  it('refuses a page that lacks a marker', () => {
    expect(() => withTables(page.replace('<!-- end of upstreams -->', ''))).toThrow('end of upstreams')
  })

  it('shows only configs that parse', () => {
    const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) => yaml!)
    expect(blocks.length).toBeGreaterThan(1)
    for (const yaml of blocks) parseConfig(readYaml('stint.config.yaml', yaml), 'project', '/')
  })
})
