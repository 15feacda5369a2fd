export type { Webhook } from './webhook.ts'
export { webhookHealth } from './webhook-health.ts'
export { createWebhookSender } from './webhook-sender.ts'
