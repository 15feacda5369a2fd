import { existsSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { gte } from 'semver'
import { runProgramOrThrow } from './run-program.ts'

const OLDEST_VERSION = '20.19.0'

/** The first `node` on the search path that no package installed, i.e. the one that a user of this machine gets. */
export function findMachineNode(searchPath: string): string {
  const candidates = searchPath
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.split(sep).includes('node_modules'))
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
  const found = candidates.find((file) => existsSync(file))
  if (found === undefined) {
    throw new Error(
      `No node on the PATH outside of node_modules: install Node ${OLDEST_VERSION} or newer to run this test.`,
    )
  }
  return found
}

/** The version of a Node, e.g. `20.19.4`. Refuses one that is older than we promise to run on. */
export function acceptedVersionOf(node: string, versionOf = askVersion): string {
  const version = versionOf(node)
  if (gte(version, OLDEST_VERSION)) return version
  throw new Error(
    `${node} is ${version}, but Stint needs ${OLDEST_VERSION} or newer: install a newer Node to run this test.`,
  )
}

function askVersion(node: string): string {
  return runProgramOrThrow(node, ['--print', 'process.versions.node'], { cwd: '.' }).trim()
}
