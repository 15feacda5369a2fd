/**
 * The architecture, as rules that `npm run lint:imports` proves. Each folder of src/ may import itself and the
 * folders named in `imports`; every one of those stands further up in this list, so imports point down only and
 * nothing below calls anything above. `packages` is a closed list where it is given.
 */
const LAYERS = [
  {
    folder: 'core',
    imports: [],
    packages: [],
    reason: 'The rules of the ledger are pure: time, ids and randomness are arguments, so every store can share them.',
  },
  {
    folder: 'policy',
    imports: ['core'],
    packages: [],
    reason: 'Reading limits from people needs the words of the core, and knows neither prices nor stores.',
  },
  {
    folder: 'pricing',
    imports: ['core'],
    packages: ['@pydantic/genai-prices', 'tokenx'],
    reason: 'What a call costs at worst is arithmetic; whether it fits is not decided here.',
  },
  {
    folder: 'system',
    imports: ['core'],
    packages: [],
    reason:
      'What only the machine knows: what time it is, and whether a process still lives. What follows is decided above.',
  },
  {
    folder: 'documents',
    imports: ['core'],
    packages: ['yaml'],
    reason: 'What people write is read as data, in one place: nothing in it is ever expanded or run.',
  },
  {
    folder: 'trust',
    imports: ['core', 'policy', 'system'],
    packages: [],
    reason: 'Who is believed for what is decided in one place, whatever kind of file it is that says something.',
  },
  {
    folder: 'scripted',
    imports: ['core', 'pricing', 'system'],
    packages: ['ai'],
    reason: 'A model that does what a script says, for tests and demos: it knows nothing of limits.',
  },
  {
    folder: 'stores',
    imports: ['core', 'system'],
    reason: 'A store makes the decision of the core atomic and durable and adds no rule of its own.',
  },
  {
    folder: 'governor',
    imports: ['core', 'policy', 'pricing', 'system', 'stores'],
    reason: 'The front door joins limits, prices and a store, and must not know who knocks.',
  },
  {
    folder: 'loop',
    imports: ['core', 'pricing', 'system', 'governor'],
    reason: 'What every edge does with one request of an agent is here once, and knows no edge.',
  },
  {
    folder: 'adapters',
    imports: ['core', 'policy', 'pricing', 'governor', 'loop'],
    packages: ['ai'],
    reason: 'An adapter only translates for the loop and the governor: it is handed a store and never picks one.',
  },
  {
    folder: 'gateway',
    imports: ['core', 'policy', 'pricing', 'system', 'governor', 'loop'],
    packages: ['undici'],
    reason: 'The wire only translates for the loop and the governor: it is handed a store and never picks one.',
  },
  {
    folder: 'exec',
    imports: ['core', 'policy', 'pricing', 'system', 'governor', 'loop', 'gateway'],
    packages: [],
    reason:
      'A command behind the gateway: its clients, its environment, its end. What a request may cost is not known here.',
  },
  {
    folder: 'agents',
    imports: ['core', 'policy', 'system', 'documents', 'trust'],
    packages: ['yaml'],
    reason: 'Agent files are found, read and checked without running anything.',
  },
  {
    folder: 'runner',
    imports: [
      'core',
      'policy',
      'pricing',
      'system',
      'documents',
      'trust',
      'scripted',
      'governor',
      'loop',
      'adapters',
      'agents',
    ],
    reason: 'The runner uses the same adapter that library users have.',
  },
  {
    folder: 'observe',
    imports: ['core', 'system', 'governor'],
    packages: ['@opentelemetry/api'],
    reason: 'Sinks and alerts listen to events; what is observed never depends on them.',
  },
  {
    folder: 'operate',
    imports: ['core', 'policy', 'pricing', 'system', 'stores', 'governor', 'agents', 'runner'],
    packages: [],
    reason: 'What a person does to a ledger, with one JSON view each: the command line and the server share it.',
  },
  {
    folder: 'config',
    imports: ['core', 'policy', 'pricing', 'system', 'documents', 'trust', 'agents', 'runner'],
    packages: ['zod', 'yaml'],
    reason: 'Every setting is described once: the reader, the JSON schema and the docs table come from it.',
  },
  {
    folder: 'server',
    imports: ['core', 'policy', 'pricing', 'governor', 'gateway', 'agents', 'runner', 'observe', 'operate', 'config'],
    packages: ['zod'],
    reason: 'The server shows and steers what the parts below do, over HTTP.',
  },
  {
    folder: 'cli',
    imports: [
      'core',
      'system',
      'documents',
      'trust',
      'policy',
      'pricing',
      'stores',
      'governor',
      'adapters',
      'gateway',
      'exec',
      'agents',
      'runner',
      'observe',
      'operate',
      'config',
      'server',
    ],
    packages: ['commander', 'yaml', '@pydantic/genai-prices', 'undici'],
    reason: 'The top: the only place that reads the environment and the config and wires the parts.',
  },
  {
    folder: 'testing',
    imports: ['core', 'policy', 'pricing', 'system', 'scripted', 'stores', 'governor', 'adapters'],
    reason: 'Contracts and doubles for users and for our own tests; product code never needs them.',
  },
]

// Not shipped: tests, and what several tests of a folder share.
const TEST_FILE = '\\.(test|fixture)\\.tsx?$'
const PACKAGE = 'node_modules/'
// Part of dist/cli (tsdown.config.ts), so that it need not be installed.
const BUNDLED = `${PACKAGE}commander/`

/** A folder sees itself and its list. A test beside the code sees the shared doubles and contracts too. */
function importsPointDown({ folder, imports, reason }) {
  const allowed = [folder, ...imports].join('|')
  return [
    {
      name: `${folder}-imports-point-down`,
      comment: reason,
      severity: 'error',
      from: { path: `^src/${folder}/`, pathNot: TEST_FILE },
      to: { path: '^src/', pathNot: `^src/(${allowed})/` },
    },
    {
      name: `${folder}-tests-import-point-down`,
      comment: 'A test beside the code is about that folder; what crosses a border belongs in tests/.',
      severity: 'error',
      from: { path: `^src/${folder}/.*${TEST_FILE}` },
      to: { path: '^src/', pathNot: `^src/(${allowed}|scripted|testing)/` },
    },
  ]
}

/** A folder with a list of packages imports those and no others. */
function packagesAreListed({ folder, packages, reason }) {
  if (packages === undefined) return []
  const to =
    packages.length === 0 ? { path: PACKAGE } : { path: PACKAGE, pathNot: `${PACKAGE}(${packages.join('|')})/` }
  return [
    {
      name: `${folder}-packages-are-listed`,
      comment: packages.length === 0 ? `No package at all. ${reason}` : `Only ${packages.join(' and ')}. ${reason}`,
      severity: 'error',
      from: { path: `^src/${folder}/`, pathNot: TEST_FILE },
      to,
    },
  ]
}

module.exports = {
  forbidden: [
    ...LAYERS.flatMap(importsPointDown),
    ...LAYERS.flatMap(packagesAreListed),
    {
      name: 'pure-folders-have-no-platform',
      comment: 'Core, policy and pricing run wherever JavaScript runs: no node: module, so no clock, disk or network.',
      severity: 'error',
      from: { path: '^src/(core|policy|pricing)/', pathNot: TEST_FILE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'prices-come-through-pricing',
      comment:
        'The price table and the token estimate can be replaced in one place, and no cost is computed elsewhere.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/pricing/', '^src/cli/lazy-packages/'] },
      to: { path: `${PACKAGE}(@pydantic/genai-prices|tokenx)/` },
    },
    {
      name: 'packages-that-load-slowly-come-late',
      comment:
        'The price table and the HTTP client take longer to load than any command takes to run: in the program only ' +
        'src/cli/lazy-packages loads them, with the first model call.',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: ['^src/cli/lazy-packages/', TEST_FILE] },
      to: { path: `${PACKAGE}(@pydantic/genai-prices|undici)/` },
    },
    {
      name: 'command-syntax-loads-no-work',
      comment:
        '--help only loads names, flags and descriptions. A command imports its work when it runs: ' +
        "`await import('../commands/…')`.",
      severity: 'error',
      from: { path: '^src/cli/syntax/', pathNot: TEST_FILE },
      to: {
        path: '^src/',
        pathNot: '^src/cli/(syntax/|serve/default-address\\.ts$)',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'node-http-comes-through-one-port',
      comment:
        'An import of node:http costs 40 ms at each start; src/gateway/http/node-http.ts says why, and does not.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/testing/', TEST_FILE] },
      to: { path: '^(node:)?https?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sqlite-comes-through-one-port',
      comment:
        'Which SQLite library there is, and what it is told when a file is opened, is known in one place: a second ' +
        'way to the file would have other settings and could free our locks.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/stores/sqlite/database/', TEST_FILE] },
      to: { path: `${PACKAGE}libsql/|^(node:)?sqlite$` },
    },
    {
      name: 'stores-are-equals',
      comment:
        'Stores stand side by side under one contract, over what they share: the operations, and the records of ' +
        'those that keep rows. One that fronts another (leased) is handed it.',
      severity: 'error',
      from: { path: '^src/stores/([^/]+)/', pathNot: TEST_FILE },
      to: { path: '^src/stores/[^/]+/', pathNot: '^src/stores/($1|operations|records)/' },
    },
    {
      name: 'adapters-are-equals',
      comment:
        'Adapters stand side by side with the same names in each; what two of them need belongs in the governor.',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/', pathNot: TEST_FILE },
      to: { path: '^src/adapters/[^/]+/', pathNot: '^src/adapters/$1/' },
    },
    {
      name: 'the-provider-judges-alone',
      comment:
        'The scripted provider is compared with our ledger to the nano-USD: shared code would share its mistakes.',
      severity: 'error',
      from: { path: '^src/testing/provider/' },
      to: { path: '^src/', pathNot: '^src/testing/provider/' },
    },
    {
      name: 'the-governor-has-two-doors',
      comment:
        'index.ts is what users get, edge.ts what adapters, the gateway and the runner get. Nothing else of the ' +
        'governor is imported from outside, so that its rooms can change.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/governor/', TEST_FILE] },
      to: { path: '^src/governor/', pathNot: '^src/governor/(index|edge)\\.ts$' },
    },
    {
      name: 'the-front-door-is-for-users',
      comment: 'src/index.ts is the library as users see it. Inside, import the file itself, or cycles follow.',
      severity: 'error',
      from: { path: '^src/.+/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'the-front-door-shows-the-library',
      comment:
        'Importing the library must not load the wire, the runner, the server or the command line. Their types may be ' +
        'named: is-stint-error.ts knows the error classes of all of them.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$', pathNot: TEST_FILE },
      to: {
        path: '^src/',
        pathNot: '^src/(core|policy|pricing|stores|governor)/|^src/is-stint-error\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'the-page-knows-the-contract',
      comment:
        'The page and the server meet in the API: web/ sees the types in src/server/contract.ts and nothing else, so ' +
        'that no code of the server comes into the browser.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: '^src/server/contract\\.ts$' },
    },
    {
      name: 'the-page-takes-types',
      comment: 'Only the types of the contract: its values would bring a validator into the page.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-page-is-small',
      comment: 'Everything that the page loads is sent to the browser: Preact, uPlot, and our own code.',
      severity: 'error',
      from: { path: '^web/', pathNot: [TEST_FILE, '\\.config\\.ts$'] },
      to: { path: PACKAGE, pathNot: `${PACKAGE}(preact|uplot)/` },
    },
    {
      name: 'folders-are-known',
      comment: 'A new folder in src/ gets a line in the list above first: where does it stand, and what may it import?',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/[^/]+/', pathNot: `^src/(${LAYERS.map((layer) => layer.folder).join('|')})/` },
    },
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one file, or a third thing is missing. Type-only circles count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'source-stands-alone',
      comment:
        'src/ is the library and the program; tests/, bench/ and scripts/ are not in the package, web/ is a page.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(tests|bench|scripts|web)/' },
    },
    {
      name: 'nobody-imports-a-test',
      comment: 'What two tests share is a file of its own, or the tests run twice.',
      severity: 'error',
      from: {},
      to: { path: '\\.test\\.tsx?$' },
    },
    {
      name: 'only-tests-import-fixtures',
      comment: 'A fixture may use dev dependencies and made-up data, so nothing that we ship may lean on it.',
      severity: 'error',
      from: { pathNot: TEST_FILE },
      to: { path: '\\.fixture\\.tsx?$' },
    },
    {
      name: 'product-code-needs-no-dev-dependency',
      comment: 'A user installs only `dependencies`. Types count: they end up in the published declarations.',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST_FILE },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional'], pathNot: BUNDLED },
    },
    {
      name: 'packages-are-declared',
      comment: 'A package that is only there because another one brought it can vanish with any update.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'imports-resolve',
      comment: 'What cannot be resolved has no folder and would pass by every rule above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-orphans',
      comment: 'A module that imports nothing and that nobody imports is dead, or was forgotten in an index.ts.',
      severity: 'error',
      from: { orphan: true, path: '^(src|web)/', pathNot: [TEST_FILE, '/index\\.ts$', '\\.d\\.ts$'] },
      to: {},
    },
  ],
  options: {
    // Type-only imports are imports: without this the compiler would have erased them before the rules see them.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
}
