export { createKeyAdmission } from './create-key-admission.ts'
export { createApiKey, createGatewayKey, hashGatewayKey, isApiKey, isGatewayKey } from './gateway-key.ts'
