import { describe, expect, it } from 'vitest'
import { withoutKeys } from './without-keys.ts'

describe('text without keys', () => {
  it.each([
    ['claude -p x --api-key sk-ant-api03-AbCdEf0123456789', 'claude -p x --api-key [removed]'],
    ['curl -H "Authorization: Bearer abc.def-ghi123"', 'curl -H "Authorization: Bearer [removed]"'],
    ['OPENAI_API_KEY=abcdef node agent.js', 'OPENAI_API_KEY=[removed] node agent.js'],
    ['login --password "correct horse battery" ann', 'login --password "[removed]" ann'],
    ["API_KEY='a b c d' x", "API_KEY='[removed]' x"],
    ['{"password": "hunter22"}', '{"password": "[removed]"}'],
    ['git clone https://ann:s3cret@example.com/x.git', 'git clone https://ann:[removed]@example.com/x.git'],
    ['use ghp_0123456789abcdefghijABCDEFGHIJ012345 for it', 'use [removed] for it'],
    ['AKIAIOSFODNN7EXAMPLE', '[removed]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc', '[removed]'],
    ['deploy 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15', 'deploy [removed]'],
    ['key Zm9vYmFyMTIzNDU2Nzg5MEFCQ0RFRkdISUpLTE1OT1BRUlM=', 'key [removed]'],
    // Passwords that are only digits, or short.
    ['login --password 12345678', 'login --password [removed]'],
    ['login --pass=x7 --pin 1234', 'login --pass=[removed] --pin [removed]'],
    // A flag and its value are two arguments, or one, with spaces or quotes in it.
    ['run --api-key "a \\"b\\" c" next', 'run --api-key "[removed]" next'],
    ['run "--password=correct horse" next', 'run "--password=[removed]" next'],
    ['["--password","hunter22","--other"]', '["--password","[removed]","--other"]'],
    ['curl -H "X-Api-Key: abc def"', 'curl -H "X-Api-Key: [removed]"'],
    ["curl -H 'authorization: token abc'", "curl -H 'authorization: token [removed]'"],
    ['curl -b "Cookie: sid=abc; theme=dark" x', 'curl -b "Cookie: [removed]" x'],
    ['curl -u ann:hunter2 https://example.com', 'curl -u ann:[removed] https://example.com'],
    ['mysql -u root -phunter2 shop', 'mysql -u root -p[removed] shop'],
    ['sshpass -p hunter2 ssh ann@example.com', 'sshpass -p [removed] ssh ann@example.com'],
    // A script or JSON inside an argument.
    ['sh -c "TOKEN=abc node agent.js --fast"', 'sh -c "TOKEN=[removed] node agent.js --fast"'],
    ['sh -c "curl --password \\"hunter 2\\" x"', 'sh -c "curl --password \\"[removed]\\" x"'],
    ['run "{\\"apiKey\\":\\"topsecret1\\"}"', 'run "{\\"apiKey\\":\\"[removed]\\"}"'],
    ['{"db": {"user": "ann", "pwd": "x"}, "port": 1}', '{"db": {"user": "ann", "pwd": "[removed]"}, "port": 1}'],
    ['process.env["SERVICE_TOKEN"] = "abc"', 'process.env["SERVICE_TOKEN"] = "[removed]"'],
    ['<password>hunter2</password>', '<password>[removed]</password>'],
    // Environment variables.
    [
      'env STRIPE_KEY=abcd1 DB_PASS=x PGPASSWORD=y MYSQL_PWD=z PWD=/srv/app run',
      'env STRIPE_KEY=[removed] DB_PASS=[removed] PGPASSWORD=[removed] MYSQL_PWD=[removed] PWD=/srv/app run',
    ],
    // Addresses.
    ['psql postgres://ann:p@ss@db:5432/x', 'psql postgres://ann:[removed]@db:5432/x'],
    ['psql postgres://ann:p/a?s#s@db/x', 'psql postgres://ann:[removed]@db/x'],
    ['redis://:1234@cache:6379', 'redis://:[removed]@cache:6379'],
    ['open https%3A%2F%2Fann%3As3cret%40example.com', 'open https%3A%2F%2Fann%3A[removed]%40example.com'],
    ['git clone https://0123456789abcdef01@example.com/x', 'git clone https://[removed]@example.com/x'],
    [
      'get https://example.com/x?sig=a1b2c3d4e5&api_key=q&page=2',
      'get https://example.com/x?sig=[removed]&api_key=[removed]&page=2',
    ],
    ['post https://hooks.slack.com/services/T000/B000/abcdEFGH', 'post https://hooks.slack.com/services/[removed]'],
    // In the text of a task.
    ['log in as ann, the password is hunter2!', 'log in as ann, the password is [removed]'],
    ['my api key: abc-def, use it', 'my api key: [removed], use it'],
    // Whole keys.
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIEow/IBAAKC\n-----END RSA PRIVATE KEY----- x', '[removed] x'],
    ['use wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY for it', 'use [removed] for it'],
    ['use q7Wm2Zx9Kp4Lr8Vt1Bn6 for it', 'use [removed] for it'],
    ['use 7f3k9x2m4q8w1z5v6b0n3c7d for it', 'use [removed] for it'],
    ['with sk-test-1 and sk_live_51Habc and xoxb-1234-5678-abcdef', 'with [removed] and [removed] and [removed]'],
    ['bot 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw', 'bot [removed]'],
  ])('%s', (text, bare) => {
    expect(withoutKeys(text)).toBe(bare)
  })

  it.each([
    'stint run triage "Sort the inbox"',
    'stint exec --limit tokens=50k --limit cost=$2.50/day -- claude -p "fix the tests"',
    'node --max-old-space-size=4096 ./scripts/evaluate-the-whole-data-set.mjs',
    'explain how tokens are counted in this repository',
    'rotate the access key of the build server',
    'reset the password flow, the token that expires is refused',
    'the password is wrong, say so; the token is required',
    'stint resume be262a5e-b673-4b00-91eb-0e4cf4e4cd07 --limit token=50k:ask',
    'sort --key=2 data.csv, then jq --sort-keys . package.json',
    'add the field primary-key: id to docs/how-to/give-a-team-a-budget.md',
    'docker run -u 1000:1000 -p 127.0.0.1:8080:80 ghcr.io/acme/agent:2026-11-18',
    'fix src/stores/operations/history/tellScopeClosed2Times in the repository',
    'python -m pytest tests/test_get_user_by_id_v2.py --maxfail=1 --author "Ann Lee"',
    'use claude-sonnet-4-5-20250929 or Qwen2.5-Coder-32B-Instruct, tokenizer: default',
    'open http://localhost:8080/users/@ann and http://[::1]:4000/x',
    'all tests must pass: run npm test, bypass=none',
  ])('keeps %s', (text) => {
    expect(withoutKeys(text)).toBe(text)
  })

  it('takes time linear in its length', () => {
    const hostile = ['a', 'token=', '://a:', 'sk-', 'bearer ', 'token="', '--token "a', 'eyJaaaaaaaa.'].map((part) =>
      part.repeat(20_000),
    )
    for (const text of hostile) expect(withoutKeys(text).length).toBeLessThanOrEqual(text.length * 3)
  })
})
