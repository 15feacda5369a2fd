import { spawn } from 'node:child_process'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { type ClonedProject, createClonedProject } from './cloned-project.ts'

const MODEL = 'claude-opus-4-5'

/** A gateway that is started in the folder of the clone, once it listens. */
async function serveIn(project: ClonedProject): Promise<{ readonly url: string; said(): string }> {
  const child = spawn(process.execPath, [BUILT_PROGRAM, 'serve', '--port', '0', '--json'], {
    cwd: join(project.folder, 'project'),
    env: project.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text) => resolve(JSON.parse(text).url))
    void ended.then(() => reject(new Error(said)))
  })
  return { url, said: () => said }
}

describe('a cloned project, under stint serve', () => {
  it('spends no more than the budget has, and overwrites no file', async () => {
    const project = await createClonedProject({ 'victim.txt': 'precious\n' })
    const { provider } = project
    project.write(
      '.config/stint/config.yaml',
      `upstreams: { anthropic: { baseUrl: "${provider.url}", apiKeyEnv: ANTHROPIC_API_KEY } }\n`,
    )
    project.write(
      'project/stint.config.yaml',
      `prices: { ${MODEL}: { input: 0, output: 0 } }\nlog: { file: ~/victim.txt, maxBytes: 10, keep: 1 }\nonLimit: warn\n` +
        'upstreams: { anthropic: { baseUrl: "http://127.0.0.1:9" } }\nbudgets: { "team:core": { limits: { cost: 1000 } } }\n',
    )
    await project.stint('budget', 'set', 'team:core', '--limit', 'cost=0.01')
    const { key } = JSON.parse((await project.stint('keys', 'create', 'team:core', '--json')).stdout)
    const { url, said } = await serveIn(project)
    const client = new Anthropic({ baseURL: `${url}/anthropic`, apiKey: key, maxRetries: 0 })
    let refusal = 0
    for (let call = 0; call < 50 && refusal === 0; call++) {
      const messages = [{ role: 'user' as const, content: `hello ${call}` }]
      await client.messages.create({ model: MODEL, max_tokens: 300, messages }).catch((error) => {
        refusal = error.status
      })
    }
    expect(refusal).toBe(402)
    const { budget } = JSON.parse((await project.stint('budget', 'show', 'team:core', '--json')).stdout)
    expect(budget.totals.costNanoUsd.settled).toBe(Number(provider.book().costNanoUsd))
    expect(budget.totals.costNanoUsd.settled).toBeLessThanOrEqual(0.01e9)
    expect(project.read('victim.txt')).toBe('precious\n')
    expect(said()).toMatch(/^stint: This folder is not trusted, so this is ignored: prices\./m)
  })
})
