import { createInterface } from 'node:readline'

/** Asks a yes-or-no question at the terminal. Anything but yes, including the end of input, is no. */
export function askAtTerminal(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve) => {
    lines.once('close', () => resolve(false))
    lines.question(question, (answer) => {
      resolve(/^y(?:es)?$/i.test(answer.trim()))
      lines.close()
    })
  })
}
