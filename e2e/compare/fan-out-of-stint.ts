import { onTestFinished } from 'vitest'
import type { GroupResult } from '../../src/runner/index.ts'
import { createScriptedProvider } from '../../src/testing/provider/index.ts'
import { writeFileInFolder } from '../../tests/house/temporary-folder.ts'
import { createMachine } from '../../tests/integration/exec/start-exec.ts'
import { programEnv } from '../run-program.ts'
import { answersIn, CHILDREN, type FanOutOutcome, fanOutScript, POOL_TOKENS, taskOf } from './fan-out.fixture.ts'

/** What the runner adds to the prompt of an agent: its tool and its limits. */
const RUNNER_TOKENS = 470

/** The same twenty as agents of `stint parallel`, with a first prompt of this size. */
export async function fanOutOfStint(firstPromptTokens: number): Promise<FanOutOutcome & { readonly reasons: number }> {
  const witness = fanOutScript()
  const provider = await createScriptedProvider({ script: witness.script, caching: false })
  onTestFinished(() => provider.close())
  const machine = createMachine(programEnv(provider, 'made-up'))
  const model = 'anthropic/claude-sonnet-4-5'
  const prompt = 'Work with care. '.repeat((firstPromptTokens - RUNNER_TOKENS) / 4)
  const frontMatter = `---\nname: delegate\ndescription: does one part\ntools: bash\nmodel: ${model}\n---\n`
  writeFileInFolder(machine.folder, '.stint/agents/delegate.md', `${frontMatter}${prompt}\n`)
  const tasks = Array.from({ length: CHILDREN }, (_, index) => `delegate: ${taskOf(index + 1)}`)
  const flags = ['--concurrency', String(CHILDREN), '--limit', `tokens=${POOL_TOKENS}`, '--json']
  const { results } = JSON.parse((await machine.start(['parallel', ...tasks, ...flags]).ended).stdout) as GroupResult
  const answers = results.map(({ output, partialOutput }) => output ?? partialOutput)
  return {
    ...witness.outcome(provider.book().entries),
    answers: answersIn(JSON.stringify(answers)),
    reasons: results.filter(({ error }, index) => answers[index] === null && error !== null).length,
  }
}
