import { modelOfScript, type ResolvedModel } from '../../runner/models/index.ts'
import { PAGES, pageFile, topicOf } from './handbook.ts'

type Script = Parameters<typeof modelOfScript>[1]

/** Reads one more page, forever. When tools are disabled, it answers with what it has and what is missing. */
export function loopingReader(delayMs: number): ResolvedModel {
  return modelOfScript('scripted/loop', readerOf({ first: 1, last: Number.POSITIVE_INFINITY, delayMs }))
}

/** Reads its pages, and then says what is in them. */
export function partReader(part: { readonly first: number; readonly last: number }, delayMs: number): ResolvedModel {
  return modelOfScript(`scripted/pages-${part.first}-${part.last}`, readerOf({ ...part, delayMs }))
}

function readerOf({ first, last, delayMs }: { first: number; last: number; delayMs: number }): Script {
  return function* read(request) {
    let asked = request
    for (let page = first; page <= last; page++) {
      if (asked.toolChoice === 'none') break
      const text = page === first ? 'I will start with the first page.' : 'One more page, to be sure.'
      const path = pageFile(((page - 1) % PAGES) + 1)
      asked = yield { text, delayMs, toolCalls: [{ name: 'read', arguments: { path } }] }
    }
    yield { text: reportOf(asked.messages, first, Math.min(last, PAGES)), delayMs }
  }
}

type Messages = Parameters<Extract<Script, (...given: never[]) => unknown>>[0]['messages']

/** The conversation shows what was really read. */
function reportOf(messages: Messages, first: number, last: number): string {
  const read = messages.filter(({ role, content }) => role === 'tool' && content.includes('# Page ')).length
  const next = first + read
  const topics = new Set(Array.from({ length: read }, (_, index) => topicOf(first + index)))
  const found =
    read === 0 ? 'I have read nothing yet.' : `I read ${pagesText(first, next - 1)}: ${[...topics].join(', ')}.`
  return next > last ? `${found} That is all of it.` : `${found} Missing: ${pagesText(next, last)}.`
}

function pagesText(first: number, last: number): string {
  return first === last ? `page ${first}` : `pages ${first} to ${last}`
}
