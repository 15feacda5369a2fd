const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'] as const

/** The Host headers that name this gateway: any other was meant for another server, or tricks a browser into calling us. */
export function hostsOf(host: string, port: number, allowed: readonly string[]): ReadonlySet<string> {
  const own = [...LOOPBACK, host.includes(':') ? `[${host}]` : host]
  const withPort = own.map((name) => `${name}:${port}`)
  const bare = port === 80 ? own : []
  const named = allowed.flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]))
  return new Set([...withPort, ...bare, ...named].map((name) => name.toLowerCase()))
}
