import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acceptedVersionOf, findMachineNode } from './machine-node.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

function folderWithNode(...parts: readonly string[]): string {
  const root = createTemporaryFolder({ [join(...parts, 'node')]: '#!/bin/sh\necho 18.20.0\n' })
  const folder = join(root, ...parts)
  chmodSync(join(folder, 'node'), 0o755)
  return folder
}

describe("the machine's own Node", () => {
  it('is the first on the search path that is outside of every node_modules', () => {
    const brought = folderWithNode('project', 'node_modules', '.bin')
    const own = folderWithNode('bin')
    const other = folderWithNode('bin')
    expect(findMachineNode([brought, createTemporaryFolder(), own, other].join(delimiter))).toBe(join(own, 'node'))
  })

  it('is asked for in plain words if there is none', () => {
    const brought = folderWithNode('node_modules', '.bin')
    expect(() => findMachineNode(brought)).toThrow('No node on the PATH outside of node_modules: install Node 20.19.0')
  })

  it('is refused in plain words if it is too old, not skipped', () => {
    const old = join(folderWithNode('bin'), 'node')
    expect(() => acceptedVersionOf(old)).toThrow('is 18.20.0, but Stint needs 20.19.0 or newer')
    expect(acceptedVersionOf('node', () => '20.19.0')).toBe('20.19.0')
    expect(() => acceptedVersionOf('node', () => '20.18.3')).toThrow('20.18.3')
  })
})
