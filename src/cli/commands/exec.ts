import type { CommandContext } from '../command-context.ts'
import { type ExecFlags, planExec } from '../exec/exec-plan.ts'
import { holdSignals } from '../exec/held-signals.ts'
import { runExec } from '../exec/run-exec.ts'
import type { Report } from '../output/report.ts'

/** `stint exec`. */
export async function exec(context: CommandContext, flags: ExecFlags): Promise<Report> {
  const plan = planExec(context, flags)
  return runExec(context, plan, holdSignals(context.platform))
}
