import type { ProviderName } from '../../system/provider-variables.ts'
import type { Variables } from '../environment/read-upstreams.ts'

/** A command that is about to be started. */
export interface PlannedCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Variables
  readonly addresses: Readonly<Record<ProviderName, string>>
  /** The gateway and the run's key, for clients that must not show the addresses, which contain the key. */
  readonly gatewayUrl: string
  readonly key: string
  readonly homeFolder: string
  /** Stint's own folder (`$STINT_HOME`). */
  readonly stateFolder: string
}

/** Changes for a client that doesn't read the environment variables. */
export interface ClientChanges {
  readonly args?: readonly string[]
  readonly env?: Variables
  /** Removes what was created for it. Never throws. */
  readonly cleanUp?: () => void
}
