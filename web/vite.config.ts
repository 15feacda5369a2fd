import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The page, into dist/web after the rest of the package: `stint serve` sends these files as they are. */
export default defineConfig({
  root: file('.'),
  // Relative, so that the page also works below a path of a proxy.
  base: './',
  // Without `development`, a build with NODE_ENV=test would name the folder of every file.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: file('../dist/web'),
    emptyOutDir: true,
    // Everything that the page needs comes as a file of its own: a strict content policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
  // During development: the API of a `stint serve` on its usual port.
  server: { proxy: { '/api': 'http://127.0.0.1:7433' } },
})
