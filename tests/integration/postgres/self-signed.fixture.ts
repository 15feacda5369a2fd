import { createSign, generateKeyPairSync } from 'node:crypto'

/** A certificate that a server has made for itself, and its key, as PEM. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BITS = 0x03
const BYTES = 0x04
const OBJECT = 0x06
const TEXT = 0x0c
const TIME = 0x17
const BOOLEAN = 0x01

function part(tag: number, ...contents: readonly (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(contents.map((content) => Buffer.from(content)))
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const RSA_WITH_SHA256 = part(SEQUENCE, part(OBJECT, [42, 134, 72, 134, 247, 13, 1, 1, 11]), Buffer.from([5, 0]))
const COMMON_NAME = [85, 4, 3]
const BASIC_CONSTRAINTS = [85, 29, 19]
const OTHER_NAMES = [85, 29, 17]

/** Makes a certificate for a host name: valid for decades, and its own authority. */
export function selfSigned(host: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const name = part(SEQUENCE, part(SET, part(SEQUENCE, part(OBJECT, COMMON_NAME), part(TEXT, Buffer.from(host)))))
  const extension = (id: readonly number[], value: Buffer): Buffer =>
    part(SEQUENCE, part(OBJECT, id), part(BYTES, value))
  const extensions = part(
    SEQUENCE,
    extension(BASIC_CONSTRAINTS, part(SEQUENCE, part(BOOLEAN, [0xff]))),
    extension(OTHER_NAMES, part(SEQUENCE, part(0x82, Buffer.from(host)))),
  )
  const signed = part(
    SEQUENCE,
    part(0xa0, part(INTEGER, [2])),
    part(INTEGER, [7]),
    RSA_WITH_SHA256,
    name,
    part(SEQUENCE, part(TIME, Buffer.from('200101000000Z')), part(TIME, Buffer.from('491231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    part(0xa3, extensions),
  )
  const signature = createSign('sha256').update(signed).sign(privateKey)
  const der = part(SEQUENCE, signed, RSA_WITH_SHA256, part(BITS, [0], signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}
