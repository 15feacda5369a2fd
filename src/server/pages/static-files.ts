import { createHash } from 'node:crypto'
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { StintError } from '../../core/index.ts'
import { SAFE_HEADERS } from '../http/send.ts'
import { MISSING_PAGE } from './missing-page.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

// Nothing is inline, nothing comes from another server, and no text becomes markup.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface StaticFile {
  readonly bytes: Buffer
  readonly type: string
  readonly etag: string
  /** Its name changes with its contents. */
  readonly isHashed: boolean
}

/** Answers with the files of the page. */
export type StaticFiles = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  headers: ReadonlyMap<string, string>,
) => void

/**
 * The files below a folder, read once at the first request. A path is looked up among their names and never resolved, so
 * that it cannot lead out of the folder. `folder`: `null`, or without files, if the page was not built.
 */
export function createStaticFiles(folder: string | null): StaticFiles {
  let files: ReadonlyMap<string, StaticFile> | null = null
  return (request, response, path, headers) => {
    files ??= readFiles(folder)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new StintError('unknown_address', 'This address takes GET only. /openapi.json lists all addresses.')
    }
    const file = files.get(path === '/' ? '/index.html' : path)
    if (file === undefined && path === '/')
      return send(response, request, staticFile(Buffer.from(MISSING_PAGE), TYPES['.html']!, false), 404)
    if (file === undefined) throw new StintError('unknown_address', 'There is nothing at this address.')
    if (headers.get('if-none-match') === file.etag) {
      response.writeHead(304, headersOf(file))
      response.end()
      return
    }
    send(response, request, file, 200)
  }
}

function send(response: ServerResponse, { method }: IncomingMessage, file: StaticFile, status: number): void {
  response.writeHead(status, { ...headersOf(file), 'content-length': file.bytes.length })
  response.end(method === 'HEAD' ? undefined : file.bytes)
}

function headersOf({ type, etag, isHashed }: StaticFile): Readonly<Record<string, string>> {
  return {
    ...SAFE_HEADERS,
    'content-type': type,
    'content-security-policy': POLICY,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
  }
}

function readFiles(folder: string | null): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  for (const entry of entriesIn(folder)) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder!, file).split(sep).join('/')}`
    files.set(path, staticFile(readFileSync(file), type, path.startsWith('/assets/')))
  }
  return files
}

function entriesIn(folder: string | null): readonly Dirent[] {
  if (folder === null) return []
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch {
    return []
  }
}

function staticFile(bytes: Buffer, type: string, isHashed: boolean): StaticFile {
  return { bytes, type, isHashed, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}
