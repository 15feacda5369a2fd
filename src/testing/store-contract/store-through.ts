import type { LedgerStore } from '../../core/index.ts'

/** How to take one step of a store: with which handle, and what to do before. */
export type TakeStep = <Outcome>(step: (store: LedgerStore) => Promise<Outcome>) => Promise<Outcome>

/** A store like `first` whose every step is taken by a store that `take` chooses. */
export function storeThrough({ isShared, onAlert }: LedgerStore, take: TakeStep): LedgerStore {
  return {
    isShared,
    onAlert,
    open: (request) => take((store) => store.open(request)),
    close: (request) => take((store) => store.close(request)),
    reserve: (request) => take((store) => store.reserve(request)),
    settle: (request) => take((store) => store.settle(request)),
    release: (request) => take((store) => store.release(request)),
    assume: (request) => take((store) => store.assume(request)),
    hold: (request) => take((store) => store.hold(request)),
    setLimits: (request) => take((store) => store.setLimits(request)),
    read: (request) => take((store) => store.read(request)),
    pause: (request) => take((store) => store.pause(request)),
    resume: (request) => take((store) => store.resume(request)),
    note: (request) => take((store) => store.note(request)),
    document: (request) => take((store) => store.document(request)),
    ask: (request) => take((store) => store.ask(request)),
    answer: (request) => take((store) => store.answer(request)),
    requests: (filter) => take((store) => store.requests(filter)),
    list: (filter) => take((store) => store.list(filter)),
    count: (filter) => take((store) => store.count(filter)),
    reservations: (filter) => take((store) => store.reservations(filter)),
    history: (request) => take((store) => store.history(request)),
    changed: (request) => take((store) => store.changed(request)),
    denials: (request) => take((store) => store.denials(request)),
    sums: (request) => take((store) => store.sums(request)),
    holders: () => take((store) => store.holders()),
    beat: (request) => take((store) => store.beat(request)),
    addKey: (request) => take((store) => store.addKey(request)),
    keys: (filter) => take((store) => store.keys(filter)),
    revokeKey: (request) => take((store) => store.revokeKey(request)),
    keyByHash: (request) => take((store) => store.keyByHash(request)),
    lease: (request) => take((store) => store.lease(request)),
    leased: (request) => take((store) => store.leased(request)),
    poll: (request) => take((store) => store.poll(request)),
    dispose: () => take((store) => store.dispose()),
  }
}
