import { useState } from 'preact/hooks'
import type { TranscriptLine } from '../../../../src/server/contract.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import { Plain } from '../../components/plain.tsx'
import type { Live } from '../../data/live.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { useScopeChange } from '../../data/use-scope-change.ts'
import { fieldOf } from '../../format/field-of.ts'
import { plainLines } from '../../format/plain-text.ts'
import { type MessagePart, messageParts, textOf } from './message-parts.ts'
import './transcript.css'

const FEW = 200
// As many as the API sends at once.
const MOST = 1000
const PREVIEW = 120

interface TranscriptProps {
  readonly id: string
  readonly taskId: string | null
  readonly live: Live
}

/** The conversation of a runner's run. */
export function Transcript({ id, taskId, live }: TranscriptProps) {
  if (taskId !== null) return <TaskTranscript id={id} taskId={taskId} live={live} />
  return (
    <Panel title="Transcript">
      <EmptyState title="There is no transcript" command='npx stint run developer "add a --json flag"'>
        Only runs of Stint's own runner keep one. Prompts and answers of other programs are not recorded: their calls
        are in the timeline.
      </EmptyState>
    </Panel>
  )
}

function TaskTranscript({ id, taskId, live }: TranscriptProps & { readonly taskId: string }) {
  const [most, setMost] = useState(FEW)
  const { value, problem, reload } = useAnswer('GET /api/tasks/:id/transcript', {
    params: { id: taskId },
    query: { most },
  })
  useScopeChange(live, id, reload)
  return (
    <Panel title="Transcript" class="said">
      {problem !== null && <p class="body soft">{problem}</p>}
      <ol class="transcript">
        {value?.lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </ol>
      {value?.hasMore === true && (
        <div class="more">
          {most < MOST ? (
            <Button look="quiet small" onClick={() => setMost(MOST)}>
              Show what came next
            </Button>
          ) : (
            <span class="faint">These are the first {MOST} lines.</span>
          )}
        </div>
      )}
    </Panel>
  )
}

function Line({ line: { message, note, type } }: { readonly line: TranscriptLine }) {
  if (message === undefined) {
    return (
      <li class="note">
        <h3>{type === 'note' ? 'Note' : <Plain text={type} />}</h3>
        {note !== undefined && <div class="text">{plainLines(textOf(note))}</div>}
      </li>
    )
  }
  const role = textOf(fieldOf(message, 'role'))
  return (
    <li class={role === 'tool' ? 'results' : role === 'user' ? 'asked' : ''}>
      <h3>
        <Plain text={role} />
      </h3>
      <div class="parts">
        {messageParts(fieldOf(message, 'content')).map((part, index) => (
          <Part key={index} part={part} />
        ))}
      </div>
    </li>
  )
}

const WORDS = { thinking: 'Thinking', call: 'Calls', result: 'Result of' } as const

function Part({ part: { kind, name, text } }: { readonly part: MessagePart }) {
  if (kind === 'text') {
    return (
      <div class="text" dir="auto">
        {plainLines(text)}
      </div>
    )
  }
  return (
    <details class={kind}>
      <summary>
        <span class="cut">
          {kind === 'call' ? <span class="unseen">{WORDS[kind]} </span> : `${WORDS[kind]} `}
          {name !== '' && (
            <code>
              <Plain text={name} />
            </code>
          )}{' '}
          <span class="faint">
            <Plain text={previewOf(text)} />
          </span>
        </span>
      </summary>
      <pre dir="auto">{plainLines(text)}</pre>
    </details>
  )
}

/** The beginning on one line; of a single argument, its value. */
function previewOf(text: string): string {
  const begins = text.slice(0, PREVIEW)
  const [, only] = /^\{\s*"[^"]*":\s*("?[^"\n]*"?)\s*\}$/.exec(begins) ?? []
  return only ?? begins.replace(/\s+/g, ' ')
}
