export { fastifyWebhook } from './fastify-webhook.ts'
export { fetchWebhook } from './fetch-webhook.ts'
export { nodeWebhook, type NodeRequest, type NodeResponse } from './node-webhook.ts'
export {
  receiveWebhook,
  type DeliveredRequest,
  type SeenEvents,
  type WebhookReceiverOptions,
  type WebhookResponse,
} from './receive-webhook.ts'
export { signWebhook, type SignedWebhook, type SignWebhookOptions } from './sign-webhook.ts'
export {
  verifyWebhook,
  WebhookVerificationError,
  type ReceivedWebhook,
  type WebhookVerificationOptions,
} from './verify-webhook.ts'
export type {
  EventEnvelope,
  KnownWebhookEvent,
  NewEventType,
  NewWebhookEvent,
  DeliveredEvent,
} from './webhook-event.ts'
export type { EventData } from './event-data.ts'
