import { useState } from 'preact/hooks'
import type { IncreaseRequest } from '../../../../src/server/contract.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { MeterBar } from '../../components/meter-bar.tsx'
import { Panel } from '../../components/panel.tsx'
import { Plain } from '../../components/plain.tsx'
import { orToast, showToast } from '../../components/toast.ts'
import { useNow } from '../../components/use-now.ts'
import { callApi } from '../../data/call-api.ts'
import type { Live } from '../../data/live.ts'
import { useStore } from '../../data/use-store.ts'
import { amountText, durationText } from '../../format/amount-text.ts'
import { hrefOf } from '../../router/route.ts'
import { useCan } from '../../session/can.ts'
import { DenyDialog } from './deny-dialog.tsx'
import { GrantPartDialog } from './grant-part-dialog.tsx'
import './request-inbox.css'

type Asking = { readonly kind: 'part' | 'deny'; readonly request: IncreaseRequest } | null

/** Agents that wait for an answer, the one that waits longest first. */
export function RequestInbox({ live }: { readonly live: Live }) {
  const requests = useStore(live.requests)
  const [asking, setAsking] = useState<Asking>(null)
  return (
    <Panel title="Waiting for you" count={requests.length === 0 ? undefined : requests.length}>
      {requests.length === 0 ? (
        <EmptyState title="No agent is waiting" command="npx stint exec --limit cost=1:ask -- claude">
          An agent whose limit says <code>ask</code> waits here for your answer instead of ending.
        </EmptyState>
      ) : (
        <ul class="rows">
          {requests.map((request) => (
            <Request key={request.id} request={request} live={live} onAsk={setAsking} />
          ))}
        </ul>
      )}
      {asking?.kind === 'part' && <GrantPartDialog request={asking.request} onClose={() => setAsking(null)} />}
      {asking?.kind === 'deny' && <DenyDialog request={asking.request} onClose={() => setAsking(null)} />}
    </Panel>
  )
}

interface RequestProps {
  readonly request: IncreaseRequest
  readonly live: Live
  readonly onAsk: (asking: Asking) => void
}

function Request({ request, live, onAsk }: RequestProps) {
  const canSteer = useCan('operator')
  const now = useNow()
  const [isBusy, setIsBusy] = useState(false)
  const { id, scopeId, scopePath, asked, unit, meter, per, limit, settled, reason, expiresAtMs } = request
  const amount = amountText(asked, unit)
  useStore(live.changes)
  const usage = live.tree.scopes.get(scopeId)?.usage[meter]
  const approve = async (): Promise<void> => {
    setIsBusy(true)
    await orToast(async () => {
      await callApi('POST /api/requests/:id/approve', { params: { id }, body: {} })
      showToast(`Granted ${amount} more of ${meter}.`)
    })
    setIsBusy(false)
  }
  return (
    <li class="request">
      <div class="where">
        <a class="cut" href={hrefOf({ page: 'scope', id: scopeId })}>
          <Plain text={scopePath} />
        </a>
        <span>{expiresAtMs > now ? `${durationText(expiresAtMs - now)} left` : 'expired'}</span>
      </div>
      <div>
        <span class="asked">
          {amount} more {meter}
        </span>{' '}
        <span class="faint">
          {amountText(settled, unit)} of {amountText(limit, unit)}
          {per === null ? '' : ` per ${per}`} used
        </span>
      </div>
      {usage?.limit != null && usage.per === per && (
        <MeterBar name={`${meter} of ${scopePath}`} state={{ ...usage, limit, remaining: usage.remaining ?? 0 }} />
      )}
      {reason !== '' && <Reason text={reason} />}
      {canSteer && (
        <div class="actions">
          <Button look="primary small" isDisabled={isBusy} onClick={() => void approve()}>
            Approve {amount}
          </Button>
          <Button look="small" onClick={() => onAsk({ kind: 'part', request })}>
            <span class="unseen">Approve a </span>
            <span>Part…</span>
          </Button>
          <Button look="quiet small" onClick={() => onAsk({ kind: 'deny', request })}>
            Deny…
          </Button>
        </div>
      )}
    </li>
  )
}

const SHORT = 140

/** Why it asks: the first lines, and all of it when it is opened. */
function Reason({ text }: { readonly text: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div class="reason">
      <blockquote class={isOpen ? '' : 'short'}>
        <Plain text={text} />
      </blockquote>
      {text.length > SHORT && (
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Less' : 'All of it'}
        </button>
      )}
    </div>
  )
}
