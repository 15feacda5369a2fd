import { describe, expect, it } from 'vitest'
import type { InvalidConfigError } from './invalid-config-error.ts'
import { parseConfig } from './parse-config.ts'
import { readYaml } from './read-document.ts'

function problemsOf(yaml: string): readonly string[] {
  try {
    parseConfig(readYaml('x.yaml', yaml), 'user', '/home')
    return []
  } catch (error) {
    return (error as InvalidConfigError).problems.map(({ place, message }) => `${place}: ${message}`)
  }
}

describe('an invalid setting', () => {
  it.each([
    ['log: 5\n', ['log in x.yaml:1: 5 is not a log. Write false, a path, or { file, maxBytes, keep }.']],
    [
      'log:\n  file: x.log\n  keep: 0\n',
      ['log.keep in x.yaml:3: 0 is not in range. Write a whole number from 1 to 1000.'],
    ],
    ['log: { keep: 3 }\n', ['log.file in x.yaml:1: This is missing. Write e.g. logs/execution-limits.log.']],
    [
      'team: ""\nmodels:\n  a: b\n  c/d: e\n  f: 5\n',
      [
        'team in x.yaml:1: "" is not a name. Write e.g. team: core.',
        'models."c/d" in x.yaml:4: "c/d" is not a short name. Write letters, digits, dots, dashes and underscores, at most 64.',
        'models.f in x.yaml:5: 5 is not a model. Write PROVIDER/MODEL, e.g. anthropic/claude-sonnet-5-5.',
      ],
    ],
    [
      'onAsk: [sh, ""]\n',
      [
        'onAsk[1] in x.yaml:1: "" is not a command. Write a program with its arguments, e.g. ["notify-send", "stint"], or a text for the shell.',
      ],
    ],
    [
      'budgets: { a: { limit: 1 } }\n',
      [
        'budgets.a.limits in x.yaml:1: This is missing. Write e.g. { cost: 100 }.',
        'budgets.a.limit in x.yaml:1: "limit" is not a setting. The settings here are limits. Did you mean "limits"?',
      ],
    ],
    ['- a\n', [expect.stringContaining('x.yaml: a list of 1 is not an object with some of $schema, store, limits')]],
  ])('%j is refused with its line, its field and a valid form', (yaml, problems) => {
    expect(problemsOf(yaml)).toEqual(problems)
  })

  it('is refused under the name __proto__ like under any other', () => {
    expect(problemsOf('__proto__: {}\n')[0]).toContain('"__proto__" is not a setting')
    for (const setting of ['models', 'providers', 'mcpServers', 'agents', 'budgets', 'log', 'upstreams']) {
      expect(problemsOf(`${setting}: { __proto__: {} }\n`), setting).not.toEqual([])
    }
  })

  it('is reported together with others of the same setting', () => {
    const problems = problemsOf('budgets:\n  a: {}\n  b: { limits: { cost: -1 } }\n')
    expect(problems).toHaveLength(2)
    expect(problems[1]).toContain('budgets.b.limits.cost in x.yaml:3')
  })

  it('does not show the value of an unknown key, which may be a secret', () => {
    try {
      parseConfig(readYaml('x.yaml', 'apiKey: sk-canary\n'), 'user', '/home')
      expect.unreachable()
    } catch (error) {
      expect(JSON.stringify((error as InvalidConfigError).problems)).not.toContain('canary')
    }
  })
})
