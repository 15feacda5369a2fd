import { writeFileSync } from 'node:fs'
import { apiPage } from './api/api-page.ts'
import { readPublicApi } from './api/public-api.ts'

// A test compares the page with what this writes.
writeFileSync(new URL('../docs/reference/api.md', import.meta.url), apiPage(readPublicApi()))
