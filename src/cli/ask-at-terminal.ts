import { createInterface } from 'node:readline'

/** Asks a person at the terminal on standard input. Whatever is not a yes is a no, the end of input too. */
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
