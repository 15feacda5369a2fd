import type { Mutant } from './mutant.ts'

/** Bugs at the front door. */
export const GOVERNOR_MUTANTS: readonly Mutant[] = [
  {
    name: 'a call that fails is not settled',
    file: 'governor/call-model.ts',
    find: 'await account(runtime, admitted, end, progress)',
    replace: "if (end.kind === 'done') await account(runtime, admitted, end, progress)",
  },
  {
    name: 'a call is given back after its first byte',
    file: 'governor/call-model.ts',
    find: 'usage === null && !progress.hasFirstByte',
    replace: 'usage === null',
  },
  {
    name: 'a request that the provider refused is not counted',
    file: 'governor/call-model.ts',
    find: "if (reach === 'unsent') return releaseRoom",
    replace: 'if (reach) return releaseRoom',
  },
  {
    name: 'the clamp is not sent',
    file: 'governor/call-model.ts',
    find: 'maxOutputTokens: room.units,\n    thinkingBudget',
    replace: 'maxOutputTokens: spec.maxOutputTokens,\n    thinkingBudget',
  },
  {
    name: 'a lost answer is believed to be free',
    file: 'governor/call-reach.ts',
    find: 'return reachIn(cause, depth + 1)',
    replace: "return cause === undefined ? 'unsent' : reachIn(cause, depth + 1)",
  },
  {
    name: 'output that nobody reported is free',
    file: 'governor/charge-for-usage.ts',
    find: 'outputTokens: usage.outputTokens ?? units * (spec.choices ?? 1),',
    replace: 'outputTokens: usage.outputTokens ?? 0,',
  },
  {
    name: 'usage above the reservation is cut to it',
    file: 'governor/charge-for-usage.ts',
    find: 'return { amounts: amountsOf(filledIn(usage, call), call), anomaly: null }',
    replace:
      'const filled = filledIn(usage, call)\n    return { amounts: amountsOf({ ...filled, outputTokens: Math.min(filled.outputTokens, call.units) }, call), anomaly: null }',
  },
  {
    name: 'a tool that fails is not counted',
    file: 'governor/call-tool.ts',
    find: 'await settleRoom(runtime, room.id, amounts, call)',
    replace: "if (end.kind === 'done') await settleRoom(runtime, room.id, amounts, call)",
  },
  {
    name: 'what the store could not be told is forgotten',
    file: 'governor/debts.ts',
    find: 'if (!isPassing(error)) throw error\n        add(pay)',
    replace: 'if (!isPassing(error)) throw error',
  },
  {
    name: 'a reservation whose answer was lost is kept',
    file: 'governor/reserve-room.ts',
    find: 'if (isPassing(error)) debts.add(() => store.release({ reservationId, atMs: clock.wallMs() }))\n',
    replace: '',
  },
  {
    name: 'nobody hears what other processes have freed',
    file: 'governor/follow-store.ts',
    find: 'line.wakeAll()\n',
    replace: '',
  },
  {
    name: 'nobody hears what others do with a scope',
    file: 'governor/follow-store.ts',
    find: 'if (runtime !== undefined) await catchUp(runtime)',
    replace: 'if (runtime === undefined) continue',
  },
  {
    name: 'the store is not told of an end',
    file: 'governor/end-scope.ts',
    find: 'await debts.attempt(() => store.close(request))',
    replace: 'void store',
  },
  {
    name: 'the living are taken for dead',
    file: 'governor/follow-store.ts',
    find: 'if (each !== holder && isHolderAlive(each) === false) await assumeHolder(context, each)',
    replace: 'if (isHolderAlive(each) !== null) await assumeHolder(context, each)',
  },
]
