import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { API } from './contract/api.ts'
import type { ApiRoute } from './contract/api-route.ts'

const page = readFileSync(new URL('../../docs/reference/api-http.md', import.meta.url), 'utf8')

it('docs/reference/api-http.md has a row for every address, with its role and reach', () => {
  const documented = page.split('\n').filter((line) => /^\| `(?:GET|POST) \//.test(line))
  const rows = Object.entries<ApiRoute>(API).map(([name, { role, reach, summary }]) => {
    return `| \`${name}\` | ${role === null ? 'anyone' : `\`${role}\``} | ${reach === 'public' ? '' : reach} | ${summary} |`
  })
  expect(documented).toEqual(rows)
})
