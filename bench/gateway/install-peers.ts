import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Portkey is not among our own dependencies: it is fetched when it is first measured. */
export function installPeers(): void {
  const folder = fileURLToPath(new URL('../peers', import.meta.url))
  if (existsSync(join(folder, 'node_modules/@portkey-ai/gateway'))) return
  console.log('Installing the peers…')
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' })
}
