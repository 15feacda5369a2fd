import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { ConfigProblem } from '../../config/invalid-config-error.ts'
import { messageOf } from '../../core/checks/thrown.ts'

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Reads a certificate and its key, and checks that they belong together. `null`: there is none, or a problem. */
export function readCertificate(
  { tlsCert, tlsKey }: { readonly tlsCert?: string; readonly tlsKey?: string },
  problems: ConfigProblem[],
): Certificate | null {
  if (tlsCert === undefined || tlsKey === undefined) return null
  const cert = readPem('--tls-cert', tlsCert, problems)
  const key = readPem('--tls-key', tlsKey, problems)
  if (cert === null || key === null) return null
  try {
    createSecureContext({ cert, key })
    return { cert, key }
  } catch (error) {
    const message = `The certificate and the key cannot be used together: ${messageOf(error)}. Both must be in PEM.`
    problems.push({ place: '--tls-cert', value: tlsCert, message })
    return null
  }
}

function readPem(flag: string, file: string, problems: ConfigProblem[]): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    problems.push({ place: flag, value: file, message: `The file cannot be read: ${messageOf(error)}.` })
    return null
  }
}
