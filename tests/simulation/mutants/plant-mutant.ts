import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SOURCE } from '../source-folder.ts'
import { findPlace, productFiles } from './find-place.ts'
import type { Mutant } from './mutant.ts'

/** The product with a bug in it, beside the one without. */
export interface Planted {
  /** Added to the address of a module, it gives the product with the bug. */
  readonly variant: string
  remove(): void
}

const OURS = pathToFileURL(`${SOURCE}/`).href
const stripped = new Map<string, string>()
let variants = 0

/** Plants a bug while modules are loaded: no file is written. Throws unless its place is found exactly once. */
export function plantMutant(mutant: Mutant): Planted {
  const place = findPlace(mutant)
  const variant = `?bug=${++variants}`
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      const isOurs = context.parentURL?.endsWith(variant) && resolved.url.startsWith(OURS)
      return isOurs ? { ...resolved, url: resolved.url + variant } : resolved
    },
    load(url, context, nextLoad) {
      if (!url.endsWith(variant)) return nextLoad(url, context)
      const file = fileURLToPath(url)
      const source = file === place.file ? withBug() : withoutTypes(file)
      return { format: 'module', source, shortCircuit: true }
    },
  })

  function withBug(): string {
    const text = productFiles().get(place.file)!
    return stripTypeScriptTypes(text.slice(0, place.from) + mutant.replace + text.slice(place.to))
  }

  return { variant, remove: () => hooks.deregister() }
}

/** Bugs share the files that they are not in. */
function withoutTypes(file: string): string {
  const known = stripped.get(file)
  if (known !== undefined) return known
  const text = stripTypeScriptTypes(productFiles().get(file)!)
  stripped.set(file, text)
  return text
}
