import type { ContractAgent } from '../../../../src/testing/adapter-contract/adapter-under-test.ts'
import type { Json } from './json.ts'
import type { WireAnswer, WireClient, WireResult } from './wire-client.ts'

/** What a client of the gateway came to by itself. */
export interface WireEnd {
  /** The text of its last answer. */
  readonly text: string
  /** What ended it before it had its answer; `null`: it was answered. */
  readonly error: { readonly message: string; readonly status: number | null } | null
}

interface Sent {
  readonly answer: WireAnswer | null
  readonly error: WireEnd['error']
}

// Statuses that clients try again, as the official SDKs do.
const RETRIED = new Set([408, 409, 429, 500, 502, 503, 504, 529])
const MOST_ROUNDS = 300

/** The agent loop of a program that knows nothing of us: it sends its conversation, runs its tools, and goes on. */
export async function runWireLoop(
  agent: ContractAgent,
  client: WireClient,
  url: string,
  name: string,
): Promise<WireEnd> {
  const conversation = [...client.begin(agent)]
  let text = ''
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { answer, error } = await sendWithRetries(agent, client, url, name, conversation)
    text = answer?.text || text
    if (error !== null || answer === null) return { text, error }
    if (answer.calls.length === 0) return { text: answer.text, error: null }
    conversation.push(...answer.added, ...client.results(await runTools(agent, answer.calls)))
  }
  return { text, error: { message: `still going after ${MOST_ROUNDS} rounds`, status: null } }
}

async function sendWithRetries(
  agent: ContractAgent,
  client: WireClient,
  url: string,
  name: string,
  conversation: readonly Json[],
): Promise<Sent> {
  for (let attempt = 0; ; attempt++) {
    const sent = await send(agent, client, url, name, conversation)
    if (attempt >= agent.maxRetries || !RETRIED.has(sent.error?.status ?? 0)) return sent
  }
}

async function send(
  agent: ContractAgent,
  client: WireClient,
  url: string,
  name: string,
  conversation: readonly Json[],
): Promise<Sent> {
  const response = await fetch(url + client.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...client.headers(name) },
    body: JSON.stringify(client.body(agent, conversation)),
  })
  const { body, failure } = await readBody(response)
  if (!response.ok) return { answer: null, error: { message: messageIn(body), status: response.status } }
  const error = failure === null ? null : { message: failure, status: null }
  if (!agent.isStreaming) return { answer: error === null ? client.readWhole(JSON.parse(body)) : null, error }
  return readStream(client, body, error)
}

function readStream(client: WireClient, body: string, failure: WireEnd['error']): Sent {
  const lines = body.split('\n').filter((line) => line.startsWith('data: {'))
  const events = lines.flatMap((line): Json[] => {
    try {
      return [JSON.parse(line.slice('data: '.length))]
    } catch {
      // The last one may have been cut.
      return []
    }
  })
  const told = events.find(({ type, error }) => type === 'error' || error !== undefined)
  const error = told === undefined ? failure : { message: JSON.stringify(told.error ?? told), status: null }
  const answer = client.readEvents(events)
  return { answer: error === null ? answer : { ...answer, calls: [] }, error }
}

/** As much as came. */
async function readBody({ body }: Response): Promise<{ readonly body: string; readonly failure: string | null }> {
  const decoder = new TextDecoder()
  let read = ''
  try {
    for await (const piece of body ?? []) read += decoder.decode(piece, { stream: true })
    return { body: read, failure: null }
  } catch (error) {
    return { body: read, failure: String(error) }
  }
}

function messageIn(body: string): string {
  try {
    return JSON.parse(body).error.message
  } catch {
    return body
  }
}

/** One after the other; a call of a tool that is not there, or that fails, is answered with an error. */
async function runTools({ tools }: ContractAgent, calls: WireAnswer['calls']): Promise<readonly WireResult[]> {
  const results: WireResult[] = []
  const { signal } = new AbortController()
  for (const { id, name, arguments: input } of calls) {
    const tool = tools.find((each) => each.name === name)
    try {
      if (tool === undefined) throw new Error(`There is no tool ${name}.`)
      results.push({ id, text: await tool.execute(input, { signal }), isError: false })
    } catch (error) {
      results.push({ id, text: String(error), isError: true })
    }
  }
  return results
}
