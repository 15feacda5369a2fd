import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { BUILT_PROGRAM } from '../house/built-program.ts'

export interface ServedPage {
  readonly url: string
  /** The one-time sign-in address. */
  readonly signIn: string
  readonly port: number
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>
}

/** `stint serve` in its own process, once it listens. */
export async function startServer(home: string, port = 0, flags: readonly string[] = []): Promise<ServedPage> {
  const args = [BUILT_PROGRAM, 'serve', '--port', String(port), '--grace', '1s', '--json', ...flags]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', HOME: home, STINT_HOME: home, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([text]) => String(text)),
    once(child, 'exit').then(() => null),
  ])
  if (line === null) throw new Error(`stint serve ended: ${said}`)
  return {
    ...JSON.parse(line),
    async stop() {
      const ended = once(child, 'exit')
      if (child.exitCode !== null || !child.kill('SIGTERM')) return
      await ended
    },
  }
}
