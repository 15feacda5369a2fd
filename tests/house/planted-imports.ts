type Files = Readonly<Record<string, string>>

interface PlantedViolation {
  readonly rule: string
  /** The file that breaks the rule. */
  readonly from: string
  readonly files: Files
}

const FOLDERS_TOP_DOWN = [
  ['cli', 'server', 'runner', 'exec', 'stores/memory'],
  ['server', 'gateway', 'runner', 'observe', 'operate', 'config'],
  ['operate', 'runner', 'stores/memory'],
  ['config', 'agents', 'trust'],
  ['exec', 'gateway', 'governor'],
  ['runner', 'adapters/ai-sdk', 'agents', 'scripted'],
  ['observe', 'core', 'governor'],
  ['agents', 'policy', 'documents', 'trust'],
  ['gateway', 'loop', 'governor'],
  ['adapters/ai-sdk', 'loop', 'governor', 'pricing'],
  ['loop', 'governor', 'pricing', 'system'],
  ['governor', 'stores/memory', 'policy', 'pricing', 'system'],
  ['system', 'core'],
  ['documents', 'core'],
  ['trust', 'policy', 'system'],
  ['scripted', 'pricing'],
  ['stores/memory', 'core'],
  ['pricing', 'core'],
  ['policy', 'core'],
  ['testing', 'stores/memory'],
  ['core'],
] as const

function pathTo(folder: string, from: string): string {
  return `${'../'.repeat(from.split('/').length)}${folder}/index.ts`
}

function indexOf([folder, ...imports]: readonly string[]): [path: string, text: string] {
  const lines = imports.map((name) => `import type {} from '${pathTo(name, folder ?? '')}'\n`)
  return [`src/${folder}/index.ts`, `${lines.join('')}export const name = '${folder}'\n`]
}

function fakePackage(name: string): Files {
  const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js' }
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify(manifest),
    [`node_modules/${name}/index.js`]: 'export const value = 1\n',
  }
}

/** A small repository in which every folder of the design imports what it may. */
export const soundTree: Files = {
  'package.json': JSON.stringify({
    name: 'planted',
    type: 'module',
    dependencies: { zod: '1.0.0', tokenx: '1.0.0', '@pydantic/genai-prices': '1.0.0' },
    optionalDependencies: { libsql: '1.0.0' },
    devDependencies: { vitest: '1.0.0' },
  }),
  ...fakePackage('zod'),
  ...fakePackage('tokenx'),
  ...fakePackage('@pydantic/genai-prices'),
  ...fakePackage('libsql'),
  ...fakePackage('vitest'),
  ...fakePackage('left-behind'),
  ...Object.fromEntries(FOLDERS_TOP_DOWN.map(indexOf)),
  'src/index.ts': "export * from './core/index.ts'\nexport * from './stores/memory/index.ts'\n",
  'src/pricing/book.ts':
    "import { value } from '@pydantic/genai-prices'\nimport { value as other } from 'tokenx'\nexport const book = [value, other]\n",
  'src/gateway/http/types.ts': "import type {} from 'node:http'\nexport const types = 1\n",
  'src/cli/lazy-packages/prices.ts': "import '@pydantic/genai-prices'\nexport const prices = 1\n",
  'src/cli/syntax/show.ts':
    "import type {} from '../index.ts'\nexport const show = async () => await import('../index.ts')\n",
  'src/stores/sqlite/database/drivers/driver.ts': "import 'libsql'\nimport 'node:sqlite'\nexport const driver = 1\n",
  'src/server/contract.ts': "import type {} from '../operate/index.ts'\nexport const routes = 1\n",
  'web/src/main.tsx': "import type {} from '../../src/server/contract.ts'\nexport const main = 1\n",
  'src/core/some.fixture.ts': "import 'vitest'\nexport const some = 1\n",
  'src/core/some.test.ts':
    "import 'vitest'\nimport 'node:fs'\nimport './index.ts'\nimport './some.fixture.ts'\nimport '../testing/index.ts'\n",
}

/** One import that a layer may not have, as a type-only one: those count too. */
function upward(folder: string, target: string): readonly PlantedViolation[] {
  const layer = folder.split('/')[0] ?? folder
  const text = `import type {} from '${pathTo(target, folder)}'\n`
  const product = `src/${folder}/upward.ts`
  const test = `src/${folder}/upward.test.ts`
  return [
    { rule: `${layer}-imports-point-down`, from: product, files: { [product]: text } },
    { rule: `${layer}-tests-import-point-down`, from: test, files: { [test]: text } },
  ]
}

function planted(rule: string, from: string, text: string, others: Files = {}): PlantedViolation {
  return { rule, from, files: { [from]: text, ...others } }
}

const product = (name: string): string => `export const ${name} = 1\n`

/** At least one violation of every rule, each in a file of its own, so that all can be planted in one tree. */
export const plantedViolations: readonly PlantedViolation[] = [
  ...upward('core', 'policy'),
  ...upward('policy', 'pricing'),
  ...upward('pricing', 'policy'),
  ...upward('system', 'policy'),
  ...upward('documents', 'policy'),
  ...upward('trust', 'documents'),
  ...upward('scripted', 'governor'),
  ...upward('stores/memory', 'policy'),
  ...upward('governor', 'loop'),
  ...upward('loop', 'adapters/ai-sdk'),
  ...upward('adapters/ai-sdk', 'stores/memory'),
  ...upward('gateway', 'stores/memory'),
  ...upward('exec', 'runner'),
  ...upward('agents', 'governor'),
  ...upward('runner', 'gateway'),
  ...upward('observe', 'runner'),
  ...upward('operate', 'config'),
  ...upward('config', 'operate'),
  ...upward('server', 'stores/memory'),
  ...upward('cli', 'unlisted').map((violation) => ({
    ...violation,
    files: { ...violation.files, 'src/unlisted/index.ts': product('unlisted') },
  })),
  ...upward('testing', 'server'),
  planted('cli-imports-point-down', 'src/cli/doubles.ts', "import type {} from '../testing/index.ts'\n"),
  planted('core-packages-are-listed', 'src/core/package.ts', "import type {} from 'zod'\n"),
  planted('policy-packages-are-listed', 'src/policy/package.ts', "import { value } from 'zod'\nvalue\n"),
  planted('pricing-packages-are-listed', 'src/pricing/package.ts', "import type {} from 'zod'\n"),
  planted('system-packages-are-listed', 'src/system/package.ts', "import type {} from 'zod'\n"),
  planted('documents-packages-are-listed', 'src/documents/package.ts', "import type {} from 'zod'\n"),
  planted('trust-packages-are-listed', 'src/trust/package.ts', "import type {} from 'zod'\n"),
  planted('scripted-packages-are-listed', 'src/scripted/package.ts', "import type {} from 'zod'\n"),
  planted('agents-packages-are-listed', 'src/agents/package.ts', "import type {} from 'zod'\n"),
  planted('adapters-packages-are-listed', 'src/adapters/ai-sdk/package.ts', "import type {} from 'zod'\n"),
  planted('gateway-packages-are-listed', 'src/gateway/package.ts', "import type {} from 'zod'\n"),
  planted('observe-packages-are-listed', 'src/observe/package.ts', "import type {} from 'zod'\n"),
  planted('exec-packages-are-listed', 'src/exec/package.ts', "import type {} from 'zod'\n"),
  planted('operate-packages-are-listed', 'src/operate/package.ts', "import type {} from 'zod'\n"),
  planted('config-packages-are-listed', 'src/config/package.ts', "import type {} from 'tokenx'\n"),
  planted('server-packages-are-listed', 'src/server/package.ts', "import type {} from 'tokenx'\n"),
  planted('cli-packages-are-listed', 'src/cli/package.ts', "import type {} from 'zod'\n"),
  planted('pure-folders-have-no-platform', 'src/core/platform.ts', "import 'node:fs'\n"),
  planted('pure-folders-have-no-platform', 'src/policy/platform.ts', "import 'fs'\n"),
  planted('pure-folders-have-no-platform', 'src/pricing/platform.ts', "import type {} from 'node:crypto'\n"),
  planted('prices-come-through-pricing', 'src/governor/prices.ts', "import '@pydantic/genai-prices'\n"),
  planted('prices-come-through-pricing', 'src/gateway/tokens.ts', "import 'tokenx'\n"),
  planted('packages-that-load-slowly-come-late', 'src/cli/early.ts', "import '@pydantic/genai-prices'\n"),
  planted('command-syntax-loads-no-work', 'src/cli/syntax/status.ts', "import { name } from '../index.ts'\nname\n"),
  planted(
    'node-http-comes-through-one-port',
    'src/gateway/server.ts',
    "import { createServer } from 'node:http'\ncreateServer\n",
  ),
  planted('sqlite-comes-through-one-port', 'src/stores/sqlite/shortcut.ts', "import type {} from 'libsql'\n"),
  planted('sqlite-comes-through-one-port', 'src/cli/shortcut.ts', "import type {} from 'node:sqlite'\n"),
  planted('stores-are-equals', 'src/stores/sqlite/index.ts', "import '../memory/index.ts'\n"),
  planted('adapters-are-equals', 'src/adapters/langchain/index.ts', "import '../ai-sdk/index.ts'\n"),
  planted('the-provider-judges-alone', 'src/testing/provider/shared.ts', "import type {} from '../../core/index.ts'\n"),
  planted(
    'the-governor-has-two-doors',
    'src/gateway/side-door.ts',
    "import type {} from '../governor/scope/open.ts'\n",
    {
      'src/governor/scope/open.ts': product('open'),
    },
  ),
  planted('the-front-door-is-for-users', 'src/governor/door.ts', "import type {} from '../index.ts'\n"),
  planted('the-front-door-shows-the-library', 'src/index.ts', "export * from './runner/index.ts'\n"),
  planted('source-stands-alone', 'src/server/page.ts', "import '../../web/src/page.ts'\n", {
    'web/src/page.ts': product('page'),
  }),
  planted('the-page-knows-the-contract', 'web/src/core.ts', "import type {} from '../../src/core/index.ts'\n"),
  planted(
    'the-page-takes-types',
    'web/src/values.tsx',
    "import { routes } from '../../src/server/contract.ts'\nroutes\n",
  ),
  planted('the-page-is-small', 'web/src/validator.ts', "import { value } from 'zod'\nvalue\n"),
  planted('folders-are-known', 'src/cli/unknown.ts', "import '../helpers/index.ts'\n", {
    'src/helpers/index.ts': product('helpers'),
  }),
  planted('no-circular', 'src/core/circle-a.ts', "import type {} from './circle-b.ts'\n", {
    'src/core/circle-b.ts': "import type {} from './circle-a.ts'\n",
  }),
  planted('source-stands-alone', 'src/core/outside.ts', "import '../../scripts/outside.ts'\n", {
    'scripts/outside.ts': product('outside'),
  }),
  planted('source-stands-alone', 'src/core/outside.test.ts', "import '../../tests/outside.ts'\n", {
    'tests/outside.ts': product('outside'),
  }),
  planted('source-stands-alone', 'src/runner/outside.ts', "import '../../bench/outside.ts'\n", {
    'bench/outside.ts': product('outside'),
  }),
  planted('nobody-imports-a-test', 'src/core/other.test.ts', "import './some.test.ts'\n"),
  planted('only-tests-import-fixtures', 'src/core/made-up.ts', "import './some.fixture.ts'\n"),
  planted('product-code-needs-no-dev-dependency', 'src/governor/development.ts', "import type {} from 'vitest'\n"),
  planted('packages-are-declared', 'src/governor/undeclared.ts', "import 'left-behind'\n"),
  planted('imports-resolve', 'src/core/nowhere.ts', "import './not-there.ts'\n"),
  planted('no-orphans', 'src/core/orphan.ts', product('orphan')),
]
