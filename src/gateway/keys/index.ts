export { createKeyAdmission } from './create-key-admission.ts'
export { createGatewayKey, hashGatewayKey, isGatewayKey } from './gateway-key.ts'
