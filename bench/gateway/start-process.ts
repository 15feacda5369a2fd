import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A part of the benchmark in a process of its own. */
export interface Part {
  readonly port: number
  ask<Answer>(question: object): Promise<Answer>
  end(): Promise<void>
}

/** Starts a script, which says on which port it listens. */
export async function startProcess(script: URL, args: readonly string[] = []): Promise<Part> {
  const file = fileURLToPath(script)
  const child = fork(file, [...args], { execArgv: ['--expose-gc'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const { port } = await answerOf<{ readonly port: number }>(child, file)
  return {
    port,
    async ask(question) {
      const answer = answerOf<never>(child, file)
      child.send(question)
      return answer
    },
    async end() {
      if (child.exitCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

async function answerOf<Answer>(child: ChildProcess, file: string): Promise<Answer> {
  const answered = new AbortController()
  const { signal } = answered
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${file} ended with ${code}`)
  })
  ended.catch(() => {})
  const message = once(child, 'message', { signal })
  const [answer] = (await Promise.race([message, ended])) as [Answer & { readonly error?: string }]
  answered.abort()
  if (answer.error !== undefined) throw new Error(`${file}: ${answer.error}`)
  return answer
}
