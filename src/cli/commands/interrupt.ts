import { printable } from '../../core/checks/printable.ts'
import { findScope } from '../../operate/find/find-scope.ts'
import { interruptedTaskView, interruptTask } from '../../operate/tasks/interrupt-task.ts'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import type { CommandContext } from '../command-context.ts'
import { answerText } from '../output/answer-text.ts'
import type { Report } from '../output/report.ts'

/** `stint interrupt ID`. */
export async function interrupt(
  context: CommandContext,
  text: string,
  { wait }: { readonly wait: boolean },
): Promise<Report> {
  const operator = await context.operator()
  const options = { tasksFolder: tasksFolder(context.config()), wait }
  const interrupted = await interruptTask(operator, await findScope(operator, text), options)
  const { folder, isOwnerAlive, result } = interrupted
  const path = printable(interrupted.path)
  const output = result?.partialOutput ?? null
  return {
    json: interruptedTaskView(interrupted),
    text: output === null ? `Interrupted ${path}.` : answerText(output, context.platform.terminals.output),
    notices: [
      ...(output === null ? [] : [`Interrupted ${path}. Its output so far:`]),
      ...(isOwnerAlive ? [] : ['The process that ran it is dead. Its output is in the transcript.']),
      ...(wait && isOwnerAlive && result === null ? ['Its process has not delivered a result yet.'] : []),
      `Artifacts: ${printable(folder)}`,
    ],
  }
}
