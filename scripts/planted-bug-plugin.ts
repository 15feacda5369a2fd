import type { Plugin } from 'vitest/config'

/**
 * Plants the bug of this name while the tests run: a test that still passes then does not test what it says. Without a
 * name nothing is changed.
 */
export async function createPlantedBugPlugin(name: string | undefined): Promise<Plugin> {
  const plugin = { name: 'stint:planted-bug' }
  if (name === undefined) return plugin
  const { MUTANTS } = await import('../tests/simulation/mutants/mutants.ts')
  const { findPlace } = await import('../tests/simulation/mutants/find-place.ts')
  const mutant = MUTANTS.find((each) => each.name === name)
  if (mutant === undefined) throw new Error(`STINT_PLANTED_BUG="${name}": no planted bug has this name.`)
  const { file, from, to } = findPlace(mutant)
  return {
    ...plugin,
    enforce: 'pre',
    transform(code, id) {
      return id === file ? code.slice(0, from) + mutant.replace + code.slice(to) : undefined
    },
  }
}
