import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withTables } from './config-tables.ts'
import { parseConfig } from './parse-config.ts'
import { readYaml } from './read-document.ts'
import { SETTING_NAMES } from './settings.ts'

const page = readFileSync(new URL('../../docs/reference/config.md', import.meta.url), 'utf8')

describe('docs/reference/config.md', () => {
  it('has the tables that the code generates: npm run schemas writes them', () => {
    expect(page).toBe(withTables(page))
  })

  it('explains every setting, and says which of them a project can set without being trusted', () => {
    for (const name of SETTING_NAMES) expect(page).toContain(`| \`${name}\` | `)
    const ignored = [...page.matchAll(/^\| `(\w+)` .* \| ignored \|$/gm)].map(([, name]) => name)
    const needTrust = [
      'store',
      'team',
      'user',
      'budgets',
      'prices',
      'log',
      'upstreams',
      'providers',
      'mcpServers',
      'onAsk',
    ]
    expect(ignored.sort()).toEqual([...needTrust, 'timeZone'].sort())
  })

  it('is refused where a marker is missing', () => {
    expect(() => withTables(page.replace('<!-- end of upstreams -->', ''))).toThrow('end of upstreams')
  })

  it('shows configs that can be read', () => {
    const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) => yaml!)
    expect(blocks.length).toBeGreaterThan(1)
    for (const yaml of blocks) parseConfig(readYaml('stint.config.yaml', yaml), 'project', '/')
  })
})
