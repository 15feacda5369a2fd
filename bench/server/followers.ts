// Clients of the stream, in a process of their own: node followers.ts PORT KEY.
import { connect, type Socket } from 'node:net'

/** How many are to follow from now on; or what they know now. */
export type FollowersQuestion =
  | { readonly clients: number; readonly isReading: boolean }
  | { readonly question: 'state' }

export interface FollowersState {
  /** By scope, as JSON: what the first client knows. */
  readonly scopes: Readonly<Record<string, string>>
  /** How many clients know something else than the first. */
  readonly different: number
  /** How many events all clients have got together, and how many resets. */
  readonly events: number
  readonly resets: number
}

interface Follower {
  readonly socket: Socket
  readonly scopes: Map<string, string>
}

interface Tree {
  readonly cursor: string
  readonly scopes: readonly { readonly id: string }[]
}

const [port = '', key = ''] = process.argv.slice(2)
let followers: Follower[] = []
let events = 0
let resets = 0

async function start(clients: number, isReading: boolean): Promise<void> {
  for (const { socket } of followers) socket.destroy()
  followers = []
  if (clients === 0) return
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/tree`, { headers })
  const { cursor, scopes } = (await answer.json()) as Tree
  for (let client = 0; client < clients; client++) {
    const known = new Map(scopes.map((scope) => [scope.id, JSON.stringify(scope)]))
    followers.push({ socket: follow(cursor, known, isReading), scopes: known })
  }
}

/** Without `isReading` what arrives is thrown away: what clients do with it costs the machine, not the server. */
function follow(cursor: string, known: Map<string, string>, isReading: boolean): Socket {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `GET /api/stream?since=${cursor} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`,
  )
  socket.on('error', () => {})
  if (!isReading) return socket.resume()
  socket.setEncoding('utf8')
  let rest = ''
  socket.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('event: reset')) resets++
      if (line.startsWith('data: {"scopes"')) {
        events++
        const { scopes } = JSON.parse(line.slice('data: '.length)) as Tree
        for (const scope of scopes) known.set(scope.id, JSON.stringify(scope))
      }
    }
  })
  return socket
}

function state(): FollowersState {
  const [first, ...others] = followers.map(({ scopes }) => JSON.stringify([...scopes].sort()))
  const different = others.filter((other) => other !== first).length
  return { scopes: Object.fromEntries(followers[0]?.scopes ?? []), different, events, resets }
}

process.on('message', (asked: FollowersQuestion) => {
  if ('question' in asked) process.send?.(state())
  else start(asked.clients, asked.isReading).then(() => process.send?.({}))
})
process.on('disconnect', () => process.exit())
process.send?.({ port: 0 })
