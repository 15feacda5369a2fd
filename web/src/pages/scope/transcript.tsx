import type { TranscriptLine } from '../../../../src/server/contract.ts'
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

const MOST = 200

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
  const { value, problem, reload } = useAnswer('GET /api/tasks/:id/transcript', {
    params: { id: taskId },
    query: { most: MOST },
  })
  useScopeChange(live, id, reload)
  return (
    <Panel title="Transcript" tools={value?.hasMore && <span class="faint">the first {MOST} lines</span>}>
      {problem !== null && <p class="body soft">{problem}</p>}
      <ol class="transcript">
        {value?.lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </ol>
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
  return (
    <li>
      <h3>
        <Plain text={textOf(fieldOf(message, 'role'))} />
      </h3>
      {messageParts(fieldOf(message, 'content')).map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </li>
  )
}

function Part({ part: { kind, name, text } }: { readonly part: MessagePart }) {
  if (kind === 'text') {
    return (
      <div class="text" dir="auto">
        {plainLines(text)}
      </div>
    )
  }
  return (
    <details>
      <summary>
        {kind === 'thinking' ? 'Thinking' : kind === 'call' ? 'Calls ' : 'Result of '}
        {name !== '' && (
          <code>
            <Plain text={name} />
          </code>
        )}
      </summary>
      <pre dir="auto">{plainLines(text)}</pre>
    </details>
  )
}
