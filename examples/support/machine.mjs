// Everything the examples need to run without a key and without a network: a provider that follows a script, a folder
// that is removed afterwards, and `stint` with a ledger and a config in that folder.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createScriptedProvider } from 'stint/testing/provider'

const STINT = join(dirname(createRequire(import.meta.url).resolve('stint/package.json')), 'dist/cli/stint.js')

export async function createMachine(script) {
  const provider = await createScriptedProvider({ script })
  const folder = mkdtempSync(join(tmpdir(), 'stint-example-'))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    STINT_HOME: join(folder, 'stint'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    OPENAI_BASE_URL: provider.openaiUrl,
    OPENAI_API_KEY: 'made-up',
  }
  const running = new Set()

  /** Starts `stint ARGS`. `firstLine` is there once it has printed one, `ended` once it has ended. */
  function start(...args) {
    const child = spawn(process.execPath, [STINT, ...args], { cwd: import.meta.dirname, env })
    running.add(child)
    const said = { stdout: '', stderr: '' }
    const firstLine = new Promise((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text) => {
        said.stdout += text
        if (said.stdout.includes('\n')) resolve(said.stdout.split('\n')[0])
      })
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said.stderr += text
    })
    const ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => {
        running.delete(child)
        resolve({ code, stdout: said.stdout.trim(), stderr: said.stderr.trim() })
      })
    })
    return { child, firstLine, ended }
  }

  return {
    provider,
    start,
    /** `stint ARGS`, to its end. */
    stint: (...args) => start(...args).ended,
    /** Writes `~/.config/stint/config.yaml`. */
    writeConfig(text) {
      mkdirSync(join(folder, 'config/stint'), { recursive: true })
      writeFileSync(join(folder, 'config/stint/config.yaml'), text)
    },
    async remove() {
      for (const child of running) child.kill('SIGKILL')
      await provider.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
