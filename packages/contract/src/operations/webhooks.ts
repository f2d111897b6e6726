import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import {
  Count,
  EmptyInput,
  KeepIfNull,
  OptionalNullable,
  OptionalOperatorReason,
  StrictObject,
  Timestamp,
  Uuid,
  WithDefault,
  WithDescription,
} from '../schemas/primitives.ts'
import { NewWebhook, Webhook, WebhookEventDescription, WebhookEventNames } from '../schemas/subscription.ts'

export const webhooksDrainOperation = operation({
  id: 'webhooks.drain',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Send the webhook deliveries that are due.',
  input: StrictObject({
    limit: OptionalNullable(Type.Integer({ minimum: 1, maximum: 2000 })),
    reason: OptionalOperatorReason,
  }),
  output: Type.Object({ attempted_count: Count, delivered_count: Count, failed_count: Count }),
})

const Workspace = WithDescription(
  'A project; the id of the calling user stands for the oldest project that they may write to.',
  Uuid,
)
const WebhookInput = StrictObject({ workspace_id: Workspace, webhook_id: Uuid })
const Secret = Type.String({ minLength: 1, maxLength: 200, description: 'The signing secret, as a text.' })
const webhookFields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  url: Type.String({ minLength: 1, maxLength: 2000, description: 'A public `https:` URL.' }),
  events: WithDescription('What the webhook is told of.', WebhookEventNames),
}

export const webhooksCreateOperation = operation({
  id: 'webhooks.create',
  scope: 'event_subscriptions:write',
  effect: 'compute',
  summary: 'Subscribe a URL to the orders or jobs of a workspace; only this response contains the signing secret.',
  input: StrictObject({
    workspace_id: Workspace,
    ...webhookFields,
    secret: WithDescription('Null: one is generated.', OptionalNullable(Secret)),
    active: WithDefault(Type.Boolean(), true),
  }),
  output: NewWebhook,
  problems: ['not-found', 'not-a-member', 'quota-exceeded'],
  extension: true,
})

export const webhooksListOperation = operation({
  id: 'webhooks.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'List the webhooks of a workspace, newest first.',
  input: StrictObject({ workspace_id: Workspace }),
  output: ListEnvelope('webhooks', Webhook),
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const webhooksGetOperation = operation({
  id: 'webhooks.get',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'Read a webhook of a workspace.',
  input: WebhookInput,
  output: Webhook,
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const webhooksUpdateOperation = operation({
  id: 'webhooks.update',
  scope: 'event_subscriptions:write',
  acts_on: 'member',
  effect: 'compute',
  summary: 'Replace a webhook of a workspace; events that are not named any more are not sent any more.',
  input: StrictObject({
    ...WebhookInput.properties,
    ...webhookFields,
    secret: KeepIfNull(Secret),
    active: Type.Boolean(),
  }),
  output: Webhook,
  problems: ['not-found', 'not-a-member', 'quota-exceeded'],
  extension: true,
})

export const webhooksDeleteOperation = operation({
  id: 'webhooks.delete',
  scope: 'event_subscriptions:write',
  acts_on: 'member',
  effect: 'destructive',
  summary: 'Delete a webhook of a workspace; pending deliveries are dropped.',
  input: WebhookInput,
  output: Type.Object({ deleted: Type.Boolean() }),
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const webhooksTestOperation = operation({
  id: 'webhooks.test',
  scope: 'event_subscriptions:write',
  acts_on: 'member',
  effect: 'compute',
  summary: 'Send a signed test of each event of a webhook immediately, even if it is paused.',
  input: WebhookInput,
  output: Type.Object({ startedAt: Timestamp, testsRun: Count, testsSucceeded: Count }),
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const webhooksEventsListOperation = operation({
  id: 'webhooks.events.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'List the events that the webhooks of a workspace may name.',
  input: EmptyInput,
  output: Type.Object({ events: Type.Array(WebhookEventDescription) }),
  public: true,
  extension: true,
})
