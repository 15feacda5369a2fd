/** A strict reader of the text format of Prometheus: throws for anything that a scraper would not take. */
export function readExposition(text: string): ReadonlyMap<string, number> {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line does not end')
  const samples = new Map<string, number>()
  const types = new Map<string, string>()
  const closed = new Set<string>()
  let family: string | null = null
  for (const line of text.split('\n').slice(0, -1)) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/s.exec(line)
    if (comment !== null) {
      const [, kind, name = '', rest = ''] = comment
      if (kind === 'HELP') {
        if (family !== null) closed.add(family)
        if (closed.has(name)) throw new Error(`${name} appears twice`)
        family = name
      } else if (!/^(counter|gauge)$/.test(rest) || name !== family || types.has(name)) throw new Error(`type: ${line}`)
      else types.set(name, rest)
      continue
    }
    const [, name = '', labels = '', value = ''] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (\S+)$/s.exec(line) ?? []
    if (name === '' || name !== family || !types.has(name)) throw new Error(`not a sample of ${family}: ${line}`)
    if (!/^(0|[1-9]\d*)(\.\d+)?$/.test(value)) throw new Error(`not a value: ${line}`)
    const key = `${name}${JSON.stringify(readLabels(labels))}`
    if (samples.has(key)) throw new Error(`twice: ${line}`)
    samples.set(key, Number(value))
  }
  return samples
}

function readLabels(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {}
  if (text === '') return labels
  let rest = text.slice(1, -1)
  while (rest !== '') {
    const match = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/.exec(rest)
    if (match === null) throw new Error(`labels: ${text}`)
    const [whole, name = '', value = ''] = match
    if (Object.hasOwn(labels, name)) throw new Error(`label twice: ${text}`)
    labels[name] = value.replace(/\\(.)/gs, (_, character) => (character === 'n' ? '\n' : character))
    rest = rest.slice(whole.length)
  }
  return labels
}
