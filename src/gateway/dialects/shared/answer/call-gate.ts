import type { RelayOptions } from '../../dialect.ts'

export interface ToolCallName {
  readonly id: string
  readonly name: string
}

/** Decides for each tool call of an answer, in order, whether it is passed on to the client. */
export interface CallGate {
  readonly passed: number
  readonly cut: number
  /** Never throws: a call that could not be decided on is cut. Returns a promise only if the decision takes time. */
  admit(call: ToolCallName): boolean | Promise<boolean>
}

/**
 * After the first refusal every call is cut. In a closing answer none passes, unless the client forces a tool: then the
 * forced call passes once.
 */
export function createCallGate(
  { admitToolCall, isClosing }: RelayOptions,
  { forcesTool }: { readonly forcesTool: boolean },
): CallGate {
  const most = isClosing ? (forcesTool ? 1 : 0) : Number.POSITIVE_INFINITY
  const decide = (isAdmitted: boolean) => {
    if (isAdmitted && gate.cut === 0) gate.passed++
    else gate.cut++
    return isAdmitted && gate.cut === 0
  }
  const gate = {
    passed: 0,
    cut: 0,
    admit(call: ToolCallName) {
      if (gate.cut > 0 || gate.passed >= most) return decide(false)
      if (admitToolCall === null) return decide(true)
      return ask(admitToolCall, call).then(decide)
    },
  }
  return gate
}

async function ask(admitToolCall: NonNullable<RelayOptions['admitToolCall']>, call: ToolCallName): Promise<boolean> {
  try {
    return (await admitToolCall(call)) === true
  } catch {
    return false
  }
}
