import { describe, expect, it } from 'vitest'
import type { ConfigProblem } from '../../config/invalid-config-error.ts'
import type { WebhookSettings } from '../../config/settings/webhooks.ts'
import { webhooksFrom } from './start-webhooks.ts'

const SETTINGS: WebhookSettings = {
  url: { kind: 'variable', name: 'HOOK' },
  secretEnv: null,
  format: 'json',
  events: ['alert_raised'],
  place: 'webhooks.ops',
}

function found(env: Readonly<Record<string, string>>, settings: Partial<WebhookSettings> = {}) {
  const problems: ConfigProblem[] = []
  const webhooks = webhooksFrom({ webhooks: new Map([['ops', { ...SETTINGS, ...settings }]]) }, env, problems)
  return { webhooks, problems: problems.map(({ message }) => message) }
}

describe('the webhooks of a config', () => {
  it('have their address and their secret from the environment', () => {
    expect(found({ HOOK: 'https://example.com/x?y=1', SECRET: 's' }, { secretEnv: 'SECRET' })).toEqual({
      webhooks: [
        { name: 'ops', url: 'https://example.com/x?y=1', secret: 's', format: 'json', events: ['alert_raised'] },
      ],
      problems: [],
    })
  })

  it.each([
    '',
    'example.com',
    'file:///etc/passwd',
    'ftp://example.com',
    'https://[example',
    'https://ann:word@example.com/x',
  ])('are refused when the server starts if the address is %j, without showing it', (address) => {
    const { webhooks, problems } = found({ HOOK: address })
    expect(webhooks).toEqual([])
    expect(problems).toEqual([expect.stringMatching(/^The environment variable HOOK must be the address/)])
    if (address !== '') expect(problems[0]).not.toContain(address.slice(-8))
  })

  it('are refused without the secret that they name', () => {
    const { problems } = found({ HOOK: 'https://example.com' }, { secretEnv: 'SECRET' })
    expect(problems).toEqual([expect.stringContaining('SECRET must be the secret')])
  })
})
