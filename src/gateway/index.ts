export type { DialectName } from './dialects/dialect.ts'
export type {
  Admission,
  EndedRequest,
  Gateway,
  GatewayBounds,
  GatewayCall,
  GatewayOptions,
  GivenUp,
  OtherRequests,
  RequestEnd,
  Upstream,
  Upstreams,
} from './gateway.ts'
export { startGateway } from './start-gateway.ts'
