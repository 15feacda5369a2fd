import type { ProviderName } from '../../../system/provider-variables.ts'
import type { Variables } from '../environment/read-upstreams.ts'

/** A command as it is about to be started. */
export interface PlannedCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Variables
  readonly addresses: Readonly<Record<ProviderName, string>>
  /** Where the gateway answers, and the key by which it knows the run: for whom the addresses would show too much. */
  readonly gatewayUrl: string
  readonly key: string
  readonly homeFolder: string
  /** Where Stint keeps its own (`$STINT_HOME`). */
  readonly stateFolder: string
}

/** What a client that reads no variable is given instead. */
export interface ClientChanges {
  readonly args?: readonly string[]
  readonly env?: Variables
  /** Takes back what was made for it. Never throws. */
  readonly cleanUp?: () => void
}
