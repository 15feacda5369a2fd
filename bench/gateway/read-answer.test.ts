import { expect, it } from 'vitest'
import { readAnswer } from './read-answer.ts'

const ANSWERS = {
  'a length': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'no body': 'HTTP/1.1 204 No Content\r\n\r\n',
  'a chunk that ends like the last one':
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 0\r\n\r\n0\r\n\r\n',
  'only the last chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
}

it.each(Object.entries(ANSWERS))('finds the end of an answer with %s, however it arrives', (_, answer) => {
  const wire = Buffer.from(answer)
  for (let size = 1; size <= wire.length; size++) {
    const reader = readAnswer()
    const ends: number[] = []
    for (let at = 0; at < wire.length; at += size) {
      if (reader.push(wire.subarray(at, at + size))) ends.push(Math.min(at + size, wire.length))
    }
    expect(ends).toEqual([wire.length])
    expect(reader.status).toBe(answer.slice(9, 12))
  }
})
