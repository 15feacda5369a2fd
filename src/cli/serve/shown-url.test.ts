import { expect, it } from 'vitest'
import { shownUrl } from './shown-url.ts'

it.each([
  ['http://127.0.0.1:7433', [], null, 'http://127.0.0.1:7433'],
  ['https://192.168.0.5:7433', ['192.168.0.5', 'stint.test'], null, 'https://192.168.0.5:7433'],
  ['https://0.0.0.0:7433', ['stint.test'], null, 'https://stint.test:7433'],
  ['https://[::]:7433', ['stint.test:8443'], null, 'https://stint.test:8443'],
  ['https://[::]:7433', ['[2001:db8::5]'], null, 'https://[2001:db8::5]:7433'],
  ['http://0.0.0.0:7433', [], null, 'http://0.0.0.0:7433'],
  ['http://127.0.0.1:7433', ['stint.example.com'], 'stint.example.com', 'https://stint.example.com'],
])('a server at %s with the names %j, behind %j, is shown as %s', (url, allowedHosts, proxyName, shown) => {
  expect(shownUrl(url, { allowedHosts, proxyName })).toBe(shown)
})
