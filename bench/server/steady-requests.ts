import { Agent, request } from 'node:http'

export interface SteadyLoad {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly perSecond: number
  readonly forMs: number
}

/** Sends requests at a fixed rate, whether or not earlier ones were answered; returns how long each took. */
export async function steadyRequests(load: SteadyLoad): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const milliseconds: number[] = []
  const underway: Promise<void>[] = []
  const startedAt = performance.now()
  const all = Math.floor((load.forMs / 1_000) * load.perSecond)
  for (let sent = 0; sent < all; ) {
    const due = Math.min(all, Math.floor(((performance.now() - startedAt) / 1_000) * load.perSecond) + 1)
    for (; sent < due; sent++) underway.push(send(agent, load, milliseconds))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(underway)
  agent.destroy()
  return milliseconds
}

function send(agent: Agent, { port, path, headers, body }: SteadyLoad, milliseconds: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const sentAt = performance.now()
    const length = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    const asked = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers: { ...headers, ...length } })
    asked.on('response', (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`))
        milliseconds.push(performance.now() - sentAt)
        resolve()
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
