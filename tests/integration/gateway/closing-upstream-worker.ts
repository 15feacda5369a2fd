// An upstream in a thread of its own: answers, keeps the connection, and closes it when it is told to. It says in a cell
// of shared memory that it has, so that a thread that does nothing but wait can see it.
import { createServer, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const closed = new Int32Array(workerData as SharedArrayBuffer)
const sockets = new Set<Socket>()
let connections = 0

const BODY = JSON.stringify({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Done.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 5 },
})
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`

const server = createServer((socket) => {
  connections++
  sockets.add(socket)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString()
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (end === -1 || text.length < end + 4 + length) return
    text = ''
    socket.write(ANSWER)
  })
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  parentPort!.postMessage({ port: typeof address === 'object' ? address?.port : 0 })
})

parentPort!.on('message', (question: 'close' | 'connections') => {
  if (question === 'connections') {
    parentPort!.postMessage({ connections })
    return
  }
  const open = [...sockets]
  for (const socket of open) socket.destroy()
  Atomics.store(closed, 0, 1)
  Atomics.notify(closed, 0)
})
