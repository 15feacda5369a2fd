export type { DialectName } from './dialects/dialect.ts'
export type {
  Admission,
  Gateway,
  GatewayBounds,
  GatewayCall,
  GatewayOptions,
  GivenUp,
  Upstream,
  Upstreams,
} from './gateway.ts'
export { startGateway } from './start-gateway.ts'
