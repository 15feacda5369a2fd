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

// As many lines are shown at once.
const PART = 200
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

function TaskTranscript({ taskId, ...rest }: TranscriptProps & { readonly taskId: string }) {
  // Where each part that is shown begins.
  const [starts, setStarts] = useState<readonly number[]>([0])
  return (
    <Panel title="Transcript" class="said">
      <ol class="transcript">
        {starts.map((from, index) => (
          <Lines
            key={from}
            {...rest}
            taskId={taskId}
            from={from}
            onMore={index === starts.length - 1 ? (next) => setStarts([...starts, next]) : null}
          />
        ))}
      </ol>
    </Panel>
  )
}

interface LinesProps {
  readonly id: string
  readonly taskId: string
  readonly live: Live
  readonly from: number
  /** Shows the part that begins at `next`; `null` if it is shown. */
  readonly onMore: ((next: number) => void) | null
}

/** A part of the conversation. */
function Lines({ id, taskId, live, from, onMore }: LinesProps) {
  const { value, problem, reload } = useAnswer('GET /api/tasks/:id/transcript', {
    params: { id: taskId },
    query: { from, most: PART },
  })
  // Only the last part grows.
  useScopeChange(live, id, () => {
    if (onMore !== null) reload()
  })
  return (
    <>
      {problem !== null && <li class="soft">{problem}</li>}
      {value?.lines.map((line, index) => (
        <Line key={index} line={line} />
      ))}
      {value?.hasMore === true && onMore !== null && (
        <li class="more">
          <Button look="quiet small" onClick={() => onMore(value.next)}>
            Show what came next
          </Button>
        </li>
      )}
    </>
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
