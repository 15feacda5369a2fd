import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TRUST_EVERYTHING } from '../../../agents/index.ts'
import { chainInFile, chainNamed, findChains } from './find-chains.ts'

const YAML = 'name: review\ndescription: Looks.\nsteps:\n  - agent: explore\n    task: Look at {task}\n'

function createPlaces(files: Readonly<Record<string, string>>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stint-chains-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'home/project'), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'home', path)), { recursive: true })
    writeFileSync(join(folder, 'home', path), text)
  }
  const homeFolder = join(folder, 'home')
  return { homeFolder, workingFolder: join(homeFolder, 'project') }
}

describe('chains', () => {
  it('are found in YAML, JSON and Markdown, in our folders and in pi’s', () => {
    const json = JSON.stringify({ name: 'two', description: 'd', chain: [{ agent: 'explore', task: 'x' }] })
    const markdown = [
      '---',
      'name: three',
      'description: d',
      '---',
      '',
      '## explore',
      'as: list',
      'reads: a.md, b.md',
      '',
      'List {task}',
      'in two lines',
      '',
      '## developer',
      '',
      'Do {outputs.list}',
    ].join('\n')
    const places = createPlaces({
      'project/.stint/chains/review.chain.yaml': YAML,
      'project/.pi/chains/two.chain.json': json,
      '.stint/agents/three.chain.md': markdown,
      'project/.stint/chains/readme.md': 'no chain',
    })
    const { chains, problems } = findChains(places)
    expect(problems).toEqual([])
    expect([...chains].map(([name, { source }]) => [name, source])).toEqual([
      ['review', 'project'],
      ['two', 'project'],
      ['three', 'user'],
    ])
    expect(chains.get('three')?.steps).toMatchObject([
      { child: { agent: 'explore', task: 'List {task}\nin two lines', as: 'list', reads: ['a.md', 'b.md'] } },
      { child: { agent: 'developer', task: 'Do {outputs.list}' } },
    ])
  })

  it('that cannot be read are refused with file and line, and hide those of the same name and lower precedence', () => {
    const places = createPlaces({
      'project/.stint/chains/review.chain.yaml': `${YAML}  - agent: explore\n    task: Do {outputs.nothing}\n`,
      'project/.stint/chains/broken.chain.json': '{"steps": [',
      'project/.stint/chains/alias.chain.yaml': 'steps: &a\n  - agent: explore\n',
      'project/.stint/chains/code.chain.md': '---js\nrun()\n---\n',
      'project/.stint/chains/section.chain.md': '---\nname: section\n---\n## explore\nnot a field\n\ntask\n',
      '.stint/chains/review.chain.yaml': YAML,
    })
    const { chains, problems, refused } = findChains({ ...places, trust: TRUST_EVERYTHING })
    expect(chains.size).toBe(0)
    const review = problems.find(({ file }) => file.endsWith('review.chain.yaml'))
    expect(review).toMatchObject({ line: 7, field: 'steps[1].task' })
    expect([...refused.keys()].sort()).toEqual(['alias', 'broken', 'code', 'review', 'section'])
    expect(() => chainNamed(findChains({ ...places, trust: TRUST_EVERYTHING }), 'review')).toThrow(/nothing/)
    expect(() => chainNamed(findChains(places), 'reveiw')).toThrow(
      /There is no chain "reveiw". Did you mean "review"\?/,
    )
  })

  it('of an untrusted project only tighten: they hide no chain of the user, bring no bash, and name no unpriced model', () => {
    const step = [
      '  - agent: explore',
      '    task: x',
      '    tools: read, bash, mcp:github',
      '    model: local/free',
      '    limits: { cost: 100 }',
    ].join('\n')
    const places = createPlaces({
      'project/.stint/chains/review.chain.yaml': YAML,
      'project/.stint/chains/own.chain.yaml': `name: own\nlimits: { cost: 50 }\nsteps:\n${step}\n`,
      '.stint/chains/review.chain.yaml': YAML,
    })
    const found = findChains(places)
    expect(found.chains.get('review')?.source).toBe('user')
    expect(found.hidden.map(({ source }) => source)).toEqual(['project'])
    const own = found.chains.get('own')!
    expect(own.steps[0]).toMatchObject({ child: { tools: ['read'], limits: [{ onlyTightens: true }] } })
    expect(own.limits).toMatchObject([{ onlyTightens: true }])
    expect(Object.keys(own.untrustedModels)).toEqual(['local/free'])
    expect(own.leftOut.join('\n')).toContain('steps[0].tools')
    expect(found.leftOut.map(({ allows }) => allows)).toContain('lets explore use bash')
    const trusted = findChains({ ...places, trust: TRUST_EVERYTHING })
    expect(trusted.chains.get('review')?.source).toBe('project')
    expect(trusted.chains.get('own')?.steps[0]).toMatchObject({ child: { tools: ['read', 'bash', 'mcp:github'] } })
  })

  it('given by their file are trusted; two of one name in a folder, and links out of it, are refused', () => {
    const places = createPlaces({
      'project/.stint/chains/one.chain.yaml': YAML,
      'project/.stint/chains/two.chain.yaml': YAML,
      'elsewhere/own.chain.yaml': `${YAML}    tools: bash\n    outputSchema: shape.json\n`,
      'elsewhere/shape.json': '{"type":"object"}',
    })
    symlinkSync(
      join(places.homeFolder, 'elsewhere/own.chain.yaml'),
      join(places.workingFolder, '.stint/chains/own.chain.yaml'),
    )
    const { chains, problems } = findChains({ ...places, trust: TRUST_EVERYTHING })
    expect(chains.size).toBe(0)
    expect(problems.map(({ message }) => message).join('\n')).toMatch(
      /leads out of the folder of chains[\s\S]*is also called "review"/,
    )
    const named = chainInFile(join(places.homeFolder, 'elsewhere/own.chain.yaml'))
    expect(named.steps[0]).toMatchObject({ child: { tools: ['bash'], outputSchema: { type: 'object' } } })
    expect(() => chainInFile(join(places.homeFolder, 'elsewhere/none.chain.yaml'))).toThrow(/cannot be read \(ENOENT\)/)
  })
})

describe('a schema in its own file', () => {
  const withSchema = (path: string) =>
    `name: review\nsteps:\n  - { agent: explore, task: x, outputSchema: ${JSON.stringify(path)} }\n`

  it("is read from the chain's folder or below", () => {
    const places = createPlaces({
      'project/.stint/chains/review.chain.yaml': withSchema('schemas/list.json'),
      'project/.stint/chains/schemas/list.json': '{ "type": "array" }',
    })
    const step = findChains(places).chains.get('review')?.steps[0]
    expect(step).toMatchObject({ child: { outputSchema: { type: 'array' } } })
  })

  it.each([
    ['a link to a file', 'key.json', 'linked.json'],
    ['a link to a folder', '', 'linked'],
  ])('%s outside of a project is refused, and its content never read; a user may have one', (_, target, link) => {
    const secret = { 'keys/key.json': '{ "type": "string", "aws": "made-up" }' }
    const path = target === '' ? `${link}/key.json` : link
    const chainIn = (folder: string) => {
      const places = createPlaces({ ...secret, [`${folder}/review.chain.yaml`]: withSchema(path) })
      symlinkSync(join(places.homeFolder, 'keys', target), join(places.homeFolder, folder, link))
      return places
    }
    const places = chainIn('project/.stint/chains')
    const found = findChains({ ...places, trust: TRUST_EVERYTHING })
    expect(found.chains.size).toBe(0)
    expect(found.problems[0]?.message).toContain('not a link that leads elsewhere')
    const file = join(places.workingFolder, '.stint/chains/review.chain.yaml')
    expect(() => chainInFile(file)).toThrow(/not a link that leads elsewhere/)
    expect(findChains(chainIn('.stint/chains')).chains.size).toBe(1)
  })
})
