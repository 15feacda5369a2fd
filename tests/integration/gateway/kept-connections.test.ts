import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { KEY, type Stage, startStage } from './stage.ts'

const BODY = JSON.stringify({
  model: 'claude-sonnet-4-5',
  max_tokens: 50,
  messages: [{ role: 'user', content: 'hi' }],
})

/** An upstream that closes its kept connections, which this thread does not see while it is blocked. */
async function startClosingUpstream() {
  const closed = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('./closing-upstream-worker.ts', import.meta.url), { workerData: closed.buffer })
  onTestFinished(async () => {
    await worker.terminate()
  })
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    /** Does nothing until every connection is closed, as a process does that is blocked or was asleep. */
    sleepUntilClosed() {
      worker.postMessage('close')
      Atomics.wait(closed, 0, 0)
    },
    async connections(): Promise<number> {
      worker.postMessage('connections')
      const [answer] = (await once(worker, 'message')) as [{ connections: number }]
      return answer.connections
    },
  }
}

/** Sends a request over a connection of its own, and gives the status of the answer. */
async function openClient({ gateway }: Stage) {
  const socket = connect({ port: gateway.port, host: '127.0.0.1' })
  onTestFinished(() => {
    socket.destroy()
  })
  await once(socket, 'connect')
  return {
    send() {
      const head = `POST /k/${KEY}/anthropic/v1/messages HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\n`
      socket.write(`${head}content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`)
    },
    async status(): Promise<string> {
      const [bytes] = (await once(socket, 'data')) as [Buffer]
      return bytes.toString().split('\r\n')[0]!
    },
  }
}

it('what was closed while the process was blocked is not taken for a connection: the request goes over a new one', async () => {
  const upstream = await startClosingUpstream()
  let isBlocking = false
  const stage: Stage = await startStage({
    limits: { cost: 1 },
    upstream: { baseUrl: upstream.url },
    admission: {
      async scopeOf() {
        // As long work of somebody else would, after the request was read.
        if (isBlocking) upstream.sleepUntilClosed()
        return stage.run
      },
    },
  })
  const client = await openClient(stage)
  client.send()
  expect(await client.status()).toContain('200')
  isBlocking = true
  client.send()
  expect(await client.status()).toContain('200')
  expect(await upstream.connections()).toBe(2)
  await stage.settle()
  expect((await stage.run.usage()).modelCalls).toMatchObject({ settled: 2, reserved: 0 })
})
