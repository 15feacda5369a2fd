import { expect, it } from 'vitest'
import { createCli } from './cli.fixture.ts'

it('an invalid config ends a command with exit code 2 and all its problems, as lines or as JSON', async () => {
  const cli = createCli({ env: { STINT_LIMITS: 'turns=lots' } })
  const user = cli.write('home/.config/stint/config.yaml', 'limits:\n  mesage: 24\nlog: 5\n')
  const { exitCode, stdout, stderr } = await cli.run('status')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  for (const place of [`limits.mesage in ${user}:2`, `log in ${user}:3`, 'STINT_LIMITS'])
    expect(stderr).toContain(place)
  expect(stderr.trimEnd().split('\n')).toHaveLength(4)
  const inJson = JSON.parse((await cli.run('status', '--json')).stderr)
  expect(inJson.error).toMatchObject({ code: 'invalid_config', problems: { length: 3 } })
})
