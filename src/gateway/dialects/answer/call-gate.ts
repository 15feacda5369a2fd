import type { RelayOptions } from '../dialect.ts'

export interface ToolCallName {
  readonly id: string
  readonly name: string
}

/** Says of each tool call of an answer, in its order, whether it goes on to the client. */
export interface CallGate {
  /** Never throws: a call that nobody could decide on is cut. A promise only where somebody must be asked. */
  admit(call: ToolCallName): boolean | Promise<boolean>
  passed(): number
  cut(): number
}

/**
 * From the first no on every call is cut. In a closing answer none passes; where the client forces a tool, its form
 * wins, and the forced call passes once.
 */
export function createCallGate(
  { admitToolCall, isClosing }: RelayOptions,
  { forcesTool }: { readonly forcesTool: boolean },
): CallGate {
  const most = isClosing ? (forcesTool ? 1 : 0) : Number.POSITIVE_INFINITY
  let passed = 0
  let cut = 0
  const decide = (isAdmitted: boolean) => {
    if (isAdmitted && cut === 0) passed++
    else cut++
    return isAdmitted && cut === 0
  }
  return {
    admit(call) {
      if (cut > 0 || passed >= most) return decide(false)
      if (admitToolCall === null) return decide(true)
      return ask(admitToolCall, call).then(decide)
    },
    passed: () => passed,
    cut: () => cut,
  }
}

async function ask(admitToolCall: NonNullable<RelayOptions['admitToolCall']>, call: ToolCallName): Promise<boolean> {
  try {
    return (await admitToolCall(call)) === true
  } catch {
    return false
  }
}
