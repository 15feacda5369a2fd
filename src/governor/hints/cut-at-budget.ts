/** Appended to a closing answer that the budget had no room to finish. */
const CUT_AT_BUDGET = '[cut at the budget]'

/** A truncated closing answer with a last line that says so. */
export function cutAtBudget(text: string): string {
  const said = text.trimEnd()
  return said === '' ? CUT_AT_BUDGET : `${said}\n\n${CUT_AT_BUDGET}`
}
