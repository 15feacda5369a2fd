import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  governed,
  governedFallback,
  governedModel,
  governedTools,
  resumeGoverned,
  runGoverned,
} from '../../src/adapters/ai-sdk/index.ts'
import { createAgent, deleteAgent, findAgents, updateAgent } from '../../src/agents/index.ts'
import { startGateway } from '../../src/gateway/index.ts'
import { edgeOf } from '../../src/governor/edge.ts'
import {
  appendHint,
  createGovernor,
  createMemoryStore,
  createPriceBook,
  createRepeatGuard,
  estimateCost,
  estimateInput,
  parseLimit,
  parseLimits,
  parsePrices,
  resolveLimits,
  worstCase,
} from '../../src/index.ts'
import { createJsonlSink } from '../../src/observe/jsonl-sink/index.ts'
import { createOtelListener } from '../../src/observe/otel/index.ts'
import {
  concurrencyLimit,
  costLimit,
  depthLimit,
  executionCostLimit,
  idleTimeLimit,
  messageLimit,
  modelCallLimit,
  outputTokenLimit,
  parseAgentFields,
  parseAskAbove,
  parseExecutionLimits,
  planningCostLimit,
  rewriteLimits,
  roleLayer,
  spawnLimit,
  timeLimit,
  tokenLimit,
  toolCallLimit,
  uncachedTokenLimit,
  wallTimeLimit,
} from '../../src/policy/index.ts'
import {
  amountsFromUsage,
  clampOutput,
  completeUsage,
  costOf,
  DEFAULT_PRICE_BOOK,
  decideUnpriced,
  elasticCall,
  estimateInputInSteps,
  fitThinking,
  smallestCall,
  toolPromptTokens,
  usageFromAiSdk,
  usageFromAnthropic,
  usageFromCodex,
  usageFromGemini,
  usageFromLangChain,
  usageFromOpenAiAgents,
  usageFromOpenAiChat,
  usageFromOpenAiResponses,
  usageFromOpenCode,
  usageFromPi,
} from '../../src/pricing/index.ts'
import { createModelSource, createRunner, createTasks, findChains } from '../../src/runner/index.ts'
import { createPostgresStore } from '../../src/stores/postgres/index.ts'
import { createSqliteStore, pruneLedger } from '../../src/stores/sqlite/index.ts'
import { createScriptedLanguageModel } from '../../src/testing/ai-sdk/index.ts'
import {
  answersAlike,
  createManualClock,
  createScriptedModel,
  describeStoreContract,
  spawnAgent,
} from '../../src/testing/index.ts'
import {
  createPreparedProvider,
  createScriptedProvider,
  loopForEver,
  toolThenText,
} from '../../src/testing/provider/index.ts'

/** A function that takes options: a misspelled option, the intended one, and the call. */
export type MisspelledCall = readonly [misspelled: string, meant: string, call: (typo: never) => unknown]

// No type accepts a typo, so it is spread into a call as an untyped value.
const nowhere = join(tmpdir(), 'stint-misspelled-options')
const call = { model: 'claude-sonnet-4-5', inputTokens: 10, maxOutputTokens: 10 }
const usage = { inputTokens: 10, outputTokens: 10 }
const price = DEFAULT_PRICE_BOOK.find('claude-sonnet-4-5')!
const agentPlaces = { workingFolder: nowhere, homeFolder: nowhere }
const managed = { ...agentPlaces, source: 'user' } as const
const model = createScriptedLanguageModel([])
const agent = { generate: async () => ({}) } as never

/** One of each of the objects whose methods take options. */
export async function createSubjects() {
  const governor = createGovernor()
  const scope = await governor.open({ name: 'run', limits: { tokens: 1_000, cost: 1 } })
  const reservation = await scope.reserve({ tokens: 1 })
  const runner = createRunner({
    governor,
    models: createModelSource({ env: {}, models: new Map(), providers: new Map(), workingFolder: nowhere }),
    taskFolder: nowhere,
    env: {},
    findAgents: () => findAgents(agentPlaces),
  })
  governed(scope, { model })
  return {
    governor,
    scope,
    edge: edgeOf(scope),
    reservation,
    guard: createRepeatGuard(scope),
    prices: createPriceBook(),
    runner,
    shelf: runner.tasks,
    tasks: createTasks(runner, { workingFolder: nowhere }),
  }
}

type Subjects = Awaited<ReturnType<typeof createSubjects>>
type Typo = Readonly<Record<string, never>>

const limitBuilder = (build: typeof costLimit): MisspelledCall => ['acton', 'action', (typo: Typo) => build(1, typo)]
const usageReader = (read: typeof usageFromPi): MisspelledCall => [
  'cachemark',
  'cacheMark',
  (typo: Typo) => read({}, typo),
]

/** Every function and method that takes options. A new one must be added here, or below. */
export function misspelledCalls(subjects: Subjects): Readonly<Record<string, MisspelledCall>> {
  const { governor, scope, edge, guard, prices, runner, shelf, tasks } = subjects
  return {
    createGovernor: ['stroe', 'store', (typo: Typo) => createGovernor(typo)],
    'governor.open': ['limit', 'limits', (typo: Typo) => governor.open({ name: 'x', ...typo })],
    'governor.budget': ['limit', 'limits', (typo: Typo) => governor.budget('team:x', typo)],
    'governor.approve': ['amout', 'amount', (typo: Typo) => governor.approve('none', typo)],
    'governor.deny': ['yb', 'by', (typo: Typo) => governor.deny('none', typo)],
    'governor.on': ['name', 'names', (typo: Typo) => governor.on(() => {}, typo)],
    'scope.open': ['limitz', 'limits', (typo: Typo) => scope.open({ name: 'x', ...typo })],
    'scope.openAll': ['onlimit', 'onLimit', (typo: Typo) => scope.openAll([{ name: 'x', ...typo }])],
    'scope.reserve': ['waitMS', 'waitMs', (typo: Typo) => scope.reserve({ tokens: 1 }, typo)],
    'scope.callTool': ['timeoutMS', 'timeoutMs', (typo: Typo) => scope.callTool({ name: 'x', ...typo }, () => 1)],
    'scope.callModel': [
      'toolCall',
      'toolCalls',
      (typo: Typo) => scope.callModel({ ...call, ...typo }, async () => ({ value: 1, usage: null })),
    ],
    'scope.callWrapUp': [
      'cachemark',
      'cacheMark',
      (typo: Typo) => scope.callWrapUp({ ...call, ...typo }, async () => ({ value: 1, usage: null })),
    ],
    'edge.cutShortBy': ['toolCall', 'toolCalls', (typo: Typo) => edge.cutShortBy({ ...call, ...typo })],
    'edge.repeatWrapUp': [
      'cachemark',
      'cacheMark',
      (typo: Typo) => edge.repeatWrapUp({ ...call, ...typo }, async () => ({ value: 1, usage: null })),
    ],
    'scope.usage': ['paths', 'path', (typo: Typo) => scope.usage(typo)],
    'scope.setLimits': ['yb', 'by', (typo: Typo) => scope.setLimits({ tokens: 2_000 }, typo)],
    'scope.requestIncrease': [
      'reson',
      'reason',
      (typo: Typo) => scope.requestIncrease({ meter: 'tokens', amount: 1, reason: 'x', ...typo }),
    ],
    'scope.pause': ['loopends', 'loopEnds', (typo: Typo) => scope.pause(typo)],
    'scope.resume': ['yb', 'by', (typo: Typo) => scope.resume(typo)],
    'edge.askToOpen': [
      'wait',
      'waits',
      (typo: Typo) => edge.askToOpen(1, { reason: 'x', waits: true, signals: [], ...typo }),
    ],
    'edge.enlist': ['limts', 'limits', (typo: Typo) => edge.enlist([{ name: 'x', ...typo }])],
    'guard.callTool': ['poll', 'polls', (typo: Typo) => guard.callTool({ name: 'x', arguments: {}, ...typo }, () => 1)],
    'prices.find': ['provder', 'provider', (typo: Typo) => prices.find('x', typo)],
    'prices.estimate': ['hasmedia', 'hasMedia', (typo: Typo) => prices.estimate('x', typo)],
    'runner.run': [
      'timeoutMS',
      'timeoutMs',
      (typo: Typo) => runner.run({ agent, task: 'x', workingFolder: '', ...typo }),
    ],
    'runner.parallel': [
      'concurency',
      'concurrency',
      (typo: Typo) => runner.parallel({ tasks: [], workingFolder: '', ...typo }),
    ],
    'runner.plan': ['worktre', 'worktree', (typo: Typo) => runner.plan({ tasks: [], workingFolder: '', ...typo })],
    'runner.chain': [
      'timeoutMS',
      'timeoutMs',
      (typo: Typo) => runner.chain({ chain: { steps: [] }, task: 'x', workingFolder: '', ...typo }),
    ],
    'runner.resumeGroup': ['ad', 'add', (typo: Typo) => runner.resumeGroup('x', typo)],
    'runner.resume': ['ad', 'add', (typo: Typo) => runner.resume('x', typo)],
    'shelf.create': ['desription', 'description', (typo: Typo) => shelf.create({ subject: 'x', ...typo })],
    'tasks.Task': [
      'execution_limit',
      'execution_limits',
      (typo: Typo) => tasks.Task({ subagent_type: 'developer', prompt: 'x', ...typo }),
    ],
    'tasks.TaskCreate': ['desription', 'description', (typo: Typo) => tasks.TaskCreate({ subject: 'x', ...typo })],
    'tasks.TaskGet': ['task_id', 'taskId', (typo: Typo) => tasks.TaskGet({ taskId: 'x', ...typo })],
    'tasks.TaskUpdate': ['sttus', 'status', (typo: Typo) => tasks.TaskUpdate({ taskId: 'x', ...typo })],

    createMemoryStore: ['isshared', 'isShared', (typo: Typo) => createMemoryStore(typo)],
    createSqliteStore: ['busyMS', 'busyMs', (typo: Typo) => createSqliteStore({ file: nowhere, ...typo })],
    createPostgresStore: [
      'busyMS',
      'busyMs',
      (typo: Typo) => createPostgresStore({ url: 'postgres://nobody@127.0.0.1:1/none', ...typo }),
    ],
    pruneLedger: ['isDryrun', 'isDryRun', (typo: Typo) => pruneLedger(nowhere, { beforeMs: 0, atMs: 0, ...typo })],
    createOtelListener: ['tracer', 'tracerProvider', (typo: Typo) => createOtelListener(typo)],
    createJsonlSink: ['maxByte', 'maxBytes', (typo: Typo) => createJsonlSink({ file: nowhere, ...typo })],
    startGateway: ['bound', 'bounds', (typo: Typo) => startGateway({ upstreams: {}, admission: agent, ...typo })],

    parseAskAbove: ['layr', 'layer', (typo: Typo) => parseAskAbove({}, typo)],
    parseLimit: ['fil', 'file', (typo: Typo) => parseLimit('turns=1', typo)],
    parseLimits: ['layr', 'layer', (typo: Typo) => parseLimits({}, typo)],
    parseExecutionLimits: ['layr', 'layer', (typo: Typo) => parseExecutionLimits({}, typo)],
    parseAgentFields: ['lineof', 'lineOf', (typo: Typo) => parseAgentFields({}, { format: 'stint', ...typo })],
    resolveLimits: ['limit', 'limits', (typo: Typo) => resolveLimits([{ layer: 'ceiling', limits: {}, ...typo }])],
    rewriteLimits: ['ceiling', 'ceilings', (typo: Typo) => rewriteLimits([], { layers: [], ceilings: [], ...typo })],
    roleLayer: ['subagnt', 'subagent', (typo: Typo) => roleLayer('x', typo)],
    costLimit: limitBuilder(costLimit),
    concurrencyLimit: limitBuilder(concurrencyLimit),
    depthLimit: limitBuilder(depthLimit),
    executionCostLimit: limitBuilder(executionCostLimit),
    idleTimeLimit: limitBuilder(idleTimeLimit),
    messageLimit: limitBuilder(messageLimit),
    modelCallLimit: limitBuilder(modelCallLimit),
    outputTokenLimit: limitBuilder(outputTokenLimit),
    planningCostLimit: limitBuilder(planningCostLimit),
    spawnLimit: limitBuilder(spawnLimit),
    timeLimit: limitBuilder(timeLimit),
    tokenLimit: limitBuilder(tokenLimit),
    toolCallLimit: limitBuilder(toolCallLimit),
    uncachedTokenLimit: limitBuilder(uncachedTokenLimit),
    wallTimeLimit: limitBuilder(wallTimeLimit),

    createPriceBook: ['unknownModel', 'unknownModels', (typo: Typo) => createPriceBook(typo)],
    parsePrices: ['fieldd', 'field', (typo: Typo) => parsePrices({}, typo)],
    estimateCost: ['webSearch', 'webSearches', (typo: Typo) => estimateCost({ model: call.model, usage, ...typo })],
    estimateInput: ['image', 'images', (typo: Typo) => estimateInput({ addedText: '', ...typo })],
    estimateInputInSteps: ['image', 'images', (typo: Typo) => estimateInputInSteps({ addedText: '', ...typo }).next()],
    worstCase: ['cachemark', 'cacheMark', (typo: Typo) => worstCase({ ...call, ...typo })],
    elasticCall: ['choises', 'choices', (typo: Typo) => elasticCall({ ...call, ...typo })],
    smallestCall: ['webSearchs', 'webSearches', (typo: Typo) => smallestCall({ ...call, ...typo })],
    clampOutput: [
      'modelMaximun',
      'modelMaximum',
      (typo: Typo) => clampOutput({ asked: 1, payableNow: 1, payableLater: 1, ...typo }),
    ],
    fitThinking: [
      'smallestThinkng',
      'smallestThinking',
      (typo: Typo) => fitThinking({ askedOutput: 1, grantedOutput: 1, thinkingBudget: 1, ...typo }),
    ],
    decideUnpriced: ['polcy', 'policy', (typo: Typo) => decideUnpriced({ model: 'x', limits: [], ...typo })],
    costOf: ['webSearchs', 'webSearches', (typo: Typo) => costOf(price, completeUsage(usage), typo)],
    amountsFromUsage: [
      'phse',
      'phase',
      (typo: Typo) => amountsFromUsage(completeUsage(usage), { costNanoUsd: 1, ...typo }),
    ],
    toolPromptTokens: [
      'toolcount',
      'toolCount',
      (typo: Typo) => toolPromptTokens('x', { toolCount: 1, definedTools: [], ...typo }),
    ],
    usageFromAiSdk: usageReader(usageFromAiSdk),
    usageFromAnthropic: usageReader(usageFromAnthropic),
    usageFromCodex: usageReader(usageFromCodex),
    usageFromGemini: usageReader(usageFromGemini),
    usageFromLangChain: usageReader(usageFromLangChain),
    usageFromOpenAiAgents: usageReader(usageFromOpenAiAgents),
    usageFromOpenAiChat: usageReader(usageFromOpenAiChat),
    usageFromOpenAiResponses: usageReader(usageFromOpenAiResponses),
    usageFromOpenCode: usageReader(usageFromOpenCode),
    usageFromPi: usageReader(usageFromPi),

    appendHint: ['nonse', 'nonce', (typo: Typo) => appendHint('', null, typo)],
    'edge.expectWrapUp': ['runselsewhere', 'runsElsewhere', (typo: Typo) => edge.expectWrapUp(typo)],
    'edge.joinConversation': [
      'agentTyp',
      'agentType',
      (typo: Typo) => edge.joinConversation({ key: 'x', name: 'x', ...typo }),
    ],
    'edge.callUnderReservation': [
      'toolCall',
      'toolCalls',
      (typo: Typo) =>
        edge.callUnderReservation({ id: 'r', scopeId: 's', amounts: {} }, { ...call, ...typo }, async () => ({
          value: 1,
          usage: null,
        })),
    ],
    'edge.planProviderTools': [
      'allowsUnbound',
      'allowsUnbounded',
      (typo: Typo) => edge.planProviderTools(call, { tools: [], hasClientTools: false, ...typo }),
    ],

    governed: ['wrapup', 'wrapUp', (typo: Typo) => governed(scope, { model, ...typo })],
    governedModel: ['hint', 'hints', (typo: Typo) => governedModel(scope, model, typo)],
    governedFallback: ['retrys', 'retries', (typo: Typo) => governedFallback(scope, [{ model }], typo)],
    governedTools: ['declares', 'declare', (typo: Typo) => governedTools(scope, {}, typo)],
    runGoverned: ['throw', 'throws', (typo: Typo) => runGoverned(scope, agent, 'x', typo)],
    resumeGoverned: ['conversaton', 'conversation', (typo: Typo) => resumeGoverned(scope, agent, typo)],

    findAgents: ['overides', 'overrides', (typo: Typo) => findAgents({ ...agentPlaces, ...typo })],
    findChains: ['trsut', 'trust', (typo: Typo) => findChains({ ...agentPlaces, ...typo })],
    createAgent: ['promt', 'prompt', (typo: Typo) => createAgent(managed, 'x', { fields: [], ...typo })],
    updateAgent: ['promt', 'prompt', (typo: Typo) => updateAgent(managed, 'x', { fields: [], ...typo })],
    deleteAgent: ['overides', 'overrides', (typo: Typo) => deleteAgent({ ...managed, ...typo }, 'x')],

    createRunner: [
      'hiddenPath',
      'hiddenPaths',
      (typo: Typo) => createRunner({ taskFolder: nowhere, ...typo } as never),
    ],
    createModelSource: [
      'baseurl',
      'baseUrl',
      (typo: Typo) => createModelSource({ workingFolder: nowhere, ...typo } as never),
    ],
    createTasks: ['layer', 'layers', (typo: Typo) => createTasks(runner, { workingFolder: nowhere, ...typo })],

    createManualClock: ['wallMS', 'wallMs', (typo: Typo) => createManualClock(typo)],
    createScriptedModel: ['maxOutputToken', 'maxOutputTokens', (typo: Typo) => createScriptedModel([], typo)],
    createScriptedLanguageModel: ['modelid', 'modelId', (typo: Typo) => createScriptedLanguageModel([], typo)],
    spawnAgent: ['execution_limit', 'execution_limits', (typo: Typo) => spawnAgent(typo)],
    answersAlike: [
      'firstseed',
      'firstSeed',
      (typo: Typo) => answersAlike({ createStore: createMemoryStore }, { histories: 0, ...typo }),
    ],
    describeStoreContract: [
      'secnd',
      'second',
      (typo: Typo) => describeStoreContract('x', { createStore: createMemoryStore, ...typo }, {} as never),
    ],
    createScriptedProvider: ['apikeys', 'apiKeys', (typo: Typo) => createScriptedProvider(typo)],
    createPreparedProvider: ['bodybytes', 'bodyBytes', (typo: Typo) => createPreparedProvider(typo)],
    loopForEver: ['toolname', 'toolName', (typo: Typo) => loopForEver(typo)],
    toolThenText: ['toolname', 'toolName', (typo: Typo) => toolThenText(1, typo)],
  }
}
