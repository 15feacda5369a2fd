import { describe, expect, it } from 'vitest'
import { findReport } from './find-report.ts'

const report = '{"residualRisks":[]}'
const block = `\`\`\`acceptance-report\n${report}\n\`\`\``

describe('the report of an answer', () => {
  it('is removed from the answer', () => {
    expect(findReport(`Done.\n\n${block}\n`)).toEqual({ rest: 'Done.', report })
    expect(findReport(`${block}\nand so on`)).toEqual({ rest: 'and so on', report })
    expect(findReport(block.replaceAll('\n', '\r\n'))).toMatchObject({ report: `${report}\r` })
  })

  it('is the last of several', () => {
    expect(findReport(`\`\`\`acceptance-report\n{}\n\`\`\`\n${block}`).report).toBe(report)
  })

  it.each([
    ['quoted', `> ${block.replaceAll('\n', '\n> ')}`],
    ['indented as code', `    ${block.replaceAll('\n', '\n    ')}`],
    ['inside a longer fence', `\`\`\`\`markdown\n${block}\n\`\`\`\``],
    ['inside a fence of another kind', `~~~\n${block}\n~~~`],
    ['inside a fence that is never closed', `~~~\n${block}`],
    ['in a line', `Write \`\`\`acceptance-report ${report}\`\`\` at the end.`],
    ['called something else', block.replace('acceptance-report', 'json')],
    ['called something longer', block.replace('acceptance-report', 'acceptance-report-example')],
  ])('is not mistaken for similar text: %s', (_, answer) => {
    expect(findReport(answer)).toEqual({ rest: answer, report: null })
  })

  it('may be an unclosed fence at the end of an answer', () => {
    expect(findReport(`Done.\n\`\`\`acceptance-report\n${report}`)).toEqual({ rest: 'Done.', report })
  })

  it('is found in 10 MiB of fences without hanging', () => {
    const answer = `${'```\n'.repeat(2_600_000)}${block}`
    expect(findReport(answer).report).toBe(report)
    expect(findReport(`${' '.repeat(5_000_000)}${'`'.repeat(5_000_000)}`).report).toBeNull()
  })
})
