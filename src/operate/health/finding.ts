/** The result of one check. */
export interface Finding {
  readonly subject: string
  readonly state: 'ok' | 'notice' | 'problem'
  readonly detail: string
  /** What to do about it; `null` where nothing needs to be done. */
  readonly remedy: string | null
}

export function fine(subject: string, detail: string): Finding {
  return { subject, state: 'ok', detail, remedy: null }
}

export function notice(subject: string, detail: string, remedy: string): Finding {
  return { subject, state: 'notice', detail, remedy }
}

export function problem(subject: string, detail: string, remedy: string): Finding {
  return { subject, state: 'problem', detail, remedy }
}
