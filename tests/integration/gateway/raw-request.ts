import { connect } from 'node:net'

/** What came back over a bare connection. */
export interface RawAnswer {
  readonly status: number
  readonly text: string
}

/** Sends bytes as they are and waits until the other side has ended the connection, or has answered `complete`. */
export function sendRaw(port: number, pieces: readonly string[], isComplete = isWhole): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece)
    })
    let text = ''
    const done = (): void => {
      socket.destroy()
      resolve({ status: Number(text.split(' ')[1] ?? 0), text })
    }
    socket.setEncoding('utf8')
    socket.on('data', (piece) => {
      text += piece
      if (isComplete(text)) done()
    })
    socket.on('close', done)
    socket.on('error', reject)
  })
}

/** A whole answer: its headers, and as many bytes as they say. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /^content-length: (\d+)/im.exec(text.slice(0, end))?.[1]
  return length !== undefined && Buffer.byteLength(text.slice(end + 4)) >= Number(length)
}

/** A request in the form of HTTP/1.1. */
export function rawRequest(line: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`]
  return `${[`${line} HTTP/1.1`, ...headers, ...length].join('\r\n')}\r\n\r\n${body}`
}
