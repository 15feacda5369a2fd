import { connect, createServer, type Socket } from 'node:net'

const UNTIL_TRANSACTION_ENDS = 'Z'.charCodeAt(0)
const ENDS_PIPELINE = new Set(['Q'.charCodeAt(0), 'S'.charCodeAt(0)])
const TERMINATE = 'X'.charCodeAt(0)
const PASSWORD_ASKED = 'R'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)
const SSL_REQUEST = 80_877_103
// As PgBouncer: it refuses any other parameter at the start.
const KNOWN = new Set(['user', 'database', 'application_name', 'client_encoding'])

/** A connection to the server, which belongs to a client only until its transaction ends. */
interface ServerConnection {
  readonly socket: Socket
  client: PooledClient | null
}

interface PooledClient {
  readonly socket: Socket
  /** What it has sent while no connection was free. */
  readonly waiting: Buffer[]
  server: ServerConnection | null
  /** Pipelines that the server has not answered yet. */
  underway: number
}

/** What a pooler does in transaction mode, on loopback: each transaction gets any of few connections. */
export async function startTransactionPooler(serverUrl: string, connections: number) {
  const { hostname, port, username, password, pathname } = new URL(serverUrl)
  const idle: ServerConnection[] = []
  const queue: PooledClient[] = []
  const sockets = new Set<Socket>()
  let handovers = 0

  function messagesOf(onMessage: (message: Buffer) => void, hasStart: boolean): (chunk: Buffer) => void {
    let rest = Buffer.alloc(0)
    let isStart = hasStart
    return (chunk) => {
      rest = Buffer.concat([rest, chunk])
      for (;;) {
        const head = isStart ? 0 : 1
        if (rest.length < head + 4) return
        const length = head + rest.readInt32BE(head)
        if (rest.length < length) return
        const message = rest.subarray(0, length)
        rest = rest.subarray(length)
        if (isStart && message.readInt32BE(4) !== SSL_REQUEST) isStart = false
        onMessage(message)
      }
    }
  }

  function connectToServer(): Promise<ServerConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      sockets.add(socket)
      const server: ServerConnection = { socket, client: null }
      let isReady = false
      socket.on('error', reject)
      socket.on('connect', () => {
        socket.write(startMessage({ user: username, database: pathname.slice(1) }))
      })
      socket.on(
        'data',
        messagesOf((message) => {
          const [kind] = message
          if (isReady) return forward(server, message)
          if (kind === PASSWORD_ASKED && message.readInt32BE(5) === 3) socket.write(textMessage('p', password))
          if (kind === UNTIL_TRANSACTION_ENDS) {
            isReady = true
            resolve(server)
          }
        }, false),
      )
    })
  }

  function forward(server: ServerConnection, message: Buffer): void {
    const { client } = server
    // A notification between two transactions reaches nobody.
    if (client === null) return
    client.socket.write(message)
    if (message[0] !== UNTIL_TRANSACTION_ENDS) return
    client.underway--
    if (client.underway === 0 && message[5] === IDLE) free(server, client)
  }

  function free(server: ServerConnection, client: PooledClient): void {
    client.server = null
    server.client = null
    idle.push(server)
    const next = queue.shift()
    if (next !== undefined) take(next)
  }

  /** The one that was free the longest, so that a client hardly gets the same one twice. */
  function take(client: PooledClient): void {
    const server = idle.shift()
    if (server === undefined) {
      queue.push(client)
      return
    }
    handovers++
    client.server = server
    server.client = client
    for (const message of client.waiting.splice(0)) send(server, client, message)
  }

  function send({ socket }: ServerConnection, client: PooledClient, message: Buffer): void {
    if (ENDS_PIPELINE.has(message[0]!)) client.underway++
    socket.write(message)
  }

  function greet(client: PooledClient, message: Buffer): void {
    const { socket } = client
    if (message.readInt32BE(4) === SSL_REQUEST) return void socket.write('N')
    const words = message.subarray(8).toString('utf8').split('\0')
    const unknown = words.find((word, index) => index % 2 === 0 && word !== '' && !KNOWN.has(word))
    if (unknown !== undefined) {
      const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${unknown}\0`
      return void socket.end(textMessage('E', text))
    }
    const ok = Buffer.from([PASSWORD_ASKED, 0, 0, 0, 8, 0, 0, 0, 0])
    const versions = textMessage('S', 'server_version\0' + '18.0')
    socket.write(Buffer.concat([ok, versions, Buffer.from([UNTIL_TRANSACTION_ENDS, 0, 0, 0, 5, IDLE])]))
  }

  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    const client: PooledClient = { socket, waiting: [], server: null, underway: 0 }
    let isGreeted = false
    socket.on('error', () => {})
    socket.on(
      'data',
      messagesOf((message) => {
        if (!isGreeted) {
          isGreeted = message.readInt32BE(4) !== SSL_REQUEST
          return greet(client, message)
        }
        if (message[0] === TERMINATE) return void socket.end()
        if (client.server !== null) return send(client.server, client, message)
        client.waiting.push(message)
        if (client.waiting.length === 1) take(client)
      }, true),
    )
  })
  for (let number = 0; number < connections; number++) idle.push(await connectToServer())
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()))
  const address = listener.address() as { readonly port: number }
  return {
    /** The server's address, through the pooler. */
    url: serverUrl.replace(`:${port}/`, `:${address.port}/`),
    /** How often a transaction was given a connection. */
    handovers: () => handovers,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

function startMessage(parameters: Readonly<Record<string, string>>): Buffer {
  const text = `${Object.entries(parameters).flat().join('\0')}\0\0`
  const message = Buffer.alloc(8 + text.length)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(196_608, 4)
  message.write(text, 8)
  return message
}

function textMessage(kind: string, text: string): Buffer {
  const message = Buffer.alloc(6 + Buffer.byteLength(text))
  message.write(kind)
  message.writeInt32BE(message.length - 1, 1)
  message.write(text, 5)
  return message
}
