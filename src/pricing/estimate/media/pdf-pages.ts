import { type PdfNames, pdfNames } from './pdf-names.ts'

/** Decompresses part of a file. Both texts have one character per byte. `null`: unreadable, or longer than `most`. */
export type Inflate = (compressed: string, most: number) => string | null

// Reading a file must not take more than a few milliseconds, whatever is in it.
const MOST_BYTES = 4 * 1_048_576
const MOST_INFLATED = 2 * 1_048_576
const MOST_STREAMS = 500
const MOST_STEPS = 500_000
const LONGEST_DICTIONARY = 4_096
const HEADER_WITHIN = 1_100

/** Whether a file is a PDF: its marker may come after some other bytes. */
export function isPdf(file: string): boolean {
  return file.slice(0, HEADER_WITHIN).includes('%PDF-')
}

/**
 * The maximum number of pages of a PDF: its page objects, the counts of its page trees or their references, whichever
 * is largest. `null` if that is hidden: encrypted, in unreadable streams, too long to read, or with pages that are
 * referenced twice. `file` has one character per byte.
 */
export function pdfPages(file: string, inflate: Inflate): number | null {
  const names = file.length > MOST_BYTES ? null : pdfNames(file)
  if (names === null || names.isEncrypted) return null
  const hidden = objectStreams(file, names, inflate)
  if (hidden === null) return null
  const tree: PageTree = { counted: 0, kids: new Set(), steps: MOST_STEPS }
  let pages = 0
  for (const { text, found } of [{ text: file, found: names }, ...hidden]) {
    pages += found.pages
    if (!addTree(tree, text, found)) return null
  }
  const most = Math.max(pages, tree.counted, tree.kids.size)
  return most === 0 ? null : most
}

interface ReadText {
  readonly text: string
  readonly found: PdfNames
}

const FLATE_ALONE = /\/Filter\s{0,8}\[?\s{0,8}\/FlateDecode\s{0,8}\]?\s{0,8}(?:\/|>>)/

/** The texts of object streams, which may contain pages; `null` if one is unreadable. */
function objectStreams(file: string, names: PdfNames, inflate: Inflate): readonly ReadText[] | null {
  if (names.objectStreams.length > MOST_STREAMS) return null
  const texts: ReadText[] = []
  let room = MOST_INFLATED
  // No byte is decompressed twice, whatever the file says.
  let unread = 0
  for (const at of names.objectStreams) {
    const start = file.indexOf('stream', at)
    const end = start === -1 ? -1 : file.indexOf('endstream', start)
    if (end === -1 || start - at > LONGEST_DICTIONARY || start < unread) return null
    unread = end
    const before = file.slice(Math.max(0, at - LONGEST_DICTIONARY), at)
    const dictionary = before.slice(before.lastIndexOf('<<') + 1) + file.slice(at, start)
    const filters = dictionary.split('/Filter').length - 1
    // Without a filter it is plain text and counted with the rest.
    if (filters === 0) continue
    if (filters > 1 || !FLATE_ALONE.test(dictionary) || dictionary.includes('/DecodeParms')) return null
    const text = inflate(file.slice(start + (file.charAt(start + 6) === '\r' ? 8 : 7), end), room)
    const found = text === null ? null : pdfNames(text)
    if (text === null || found === null) return null
    room -= text.length
    texts.push({ text, found })
  }
  return texts
}

interface PageTree {
  /** The largest count of any node. */
  counted: number
  /** The references of its nodes. */
  readonly kids: Set<string>
  /** The remaining work allowed. */
  steps: number
}

const IN_PAGE_TREE = /\/(?:Count|Pages)(?![A-Za-z])/
const REFERENCES = /\d{1,10}\s{1,20}\d{1,5}\s{1,20}R/g

/**
 * Adds the nodes of a page tree. `false`: one is referenced twice, so it is unknown how often it is read; or the tree
 * is too large.
 */
function addTree(tree: PageTree, text: string, { kids }: PdfNames): boolean {
  for (const at of kids) {
    const start = openedAt(text, at, tree)
    const end = closedAt(text, at, tree)
    if (tree.steps < 0) return false
    const node = text.slice(start, end)
    // Name trees and form field trees have children too.
    if (!IN_PAGE_TREE.test(node)) continue
    const count = /\/Count\s{1,20}(\d{1,9})/.exec(node)?.[1]
    tree.counted = Math.max(tree.counted, count === undefined ? 0 : Number(count))
    const list = node.slice(node.indexOf('[', at - start) + 1, node.indexOf(']', at - start))
    for (const [reference] of list.matchAll(REFERENCES)) {
      const kid = reference.replace(/\s+/g, ' ')
      if (tree.kids.has(kid)) return false
      tree.kids.add(kid)
    }
  }
  return true
}

const OPEN = 0x3c
const CLOSE = 0x3e

/** Where the dictionary around a position starts. */
function openedAt(text: string, place: number, tree: PageTree): number {
  let depth = 0
  for (let at = place; at > 0 && tree.steps >= 0; at--, tree.steps--) {
    const code = text.charCodeAt(at)
    if ((code !== OPEN && code !== CLOSE) || text.charCodeAt(at - 1) !== code) continue
    at--
    if (code === CLOSE) depth++
    else if (depth-- === 0) return at
  }
  return 0
}

function closedAt(text: string, place: number, tree: PageTree): number {
  let depth = 0
  for (let at = place; at < text.length && tree.steps >= 0; at++, tree.steps--) {
    const code = text.charCodeAt(at)
    if ((code !== OPEN && code !== CLOSE) || text.charCodeAt(at + 1) !== code) continue
    at++
    if (code === OPEN) depth++
    else if (depth-- === 0) return at + 1
  }
  return text.length
}
