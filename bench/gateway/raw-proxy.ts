// The peer that does nothing but pass bytes on: node raw-proxy.ts PROVIDER_PORT. node:http with a keep-alive agent.
import { Agent, createServer, request } from 'node:http'
import { answerQuestions } from './answer-questions.ts'

const port = Number(process.argv[2])
const agent = new Agent({ keepAlive: true, maxSockets: 1_024 })

const server = createServer((incoming, outgoing) => {
  const { method, url, headers } = incoming
  const upstream = request({ host: '127.0.0.1', port, method, path: url, headers, agent }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  upstream.on('error', () => outgoing.destroy())
  incoming.pipe(upstream)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  answerQuestions(typeof address === 'object' ? (address?.port ?? 0) : 0)
})
