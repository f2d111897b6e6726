import Type, { type Static, type TObject, type TProperties } from 'typebox'
import { Uuid } from '@swath/contract/schemas/primitives.ts'
import type { TypedTaskName } from '../platform/queue/queue.ts'

/** A kind of background task: the name under which the queue stores it, and the schema of its data. */
export interface BackgroundTaskType<Data extends TObject = TObject> extends TypedTaskName<Static<Data>> {
  readonly schema: Data
}

const defineTaskType = <Properties extends TProperties>(
  name: string,
  schema: TObject<Properties>,
): BackgroundTaskType<TObject<Properties>> => ({ name, schema })

/**
 * Every background task. A module defines what a task does (`defineTask`); any module may enqueue it, also one of an earlier
 * tier. Waiting tasks have these names in the database: a name that changes leaves them behind.
 */
export const backgroundTaskTypes = {
  sweepAnalyticsResults: defineTaskType('analytics.sweep-results', Type.Object({})),
  evaluateAlerts: defineTaskType('alerts.evaluate', Type.Object({ organization_id: Uuid, item_id: Uuid })),
  applyPaymentEvent: defineTaskType(
    'billing.apply-payment-event',
    Type.Object({
      event_id: Type.String(),
      // Set for events of sandbox organizations.
      organization_id: Type.Optional(Uuid),
    }),
  ),
  autoTopup: defineTaskType('billing.auto-topup', Type.Object({ organization_id: Uuid })),
  captureOrVoid: defineTaskType('billing.finish-card', Type.Object({ organization_id: Uuid, authorisation_id: Uuid })),
  closeTopup: defineTaskType('billing.close-topup', Type.Object({ organization_id: Uuid, topup_id: Uuid })),
  redeliverWebhooks: defineTaskType('billing.hear-processor', Type.Object({})),
  scheduleMonthEnds: defineTaskType('billing.plan-month-ends', Type.Object({})),
  reauthoriseCard: defineTaskType('billing.renew-card', Type.Object({ organization_id: Uuid, authorisation_id: Uuid })),
  numberDocument: defineTaskType(
    'invoicing.number-document',
    Type.Object({ organization_id: Uuid, document_id: Uuid }),
  ),
  reconcileStorage: defineTaskType('billing.reconcile', Type.Object({})),
  sendRefund: defineTaskType('billing.send-refund', Type.Object({ organization_id: Uuid, refund_id: Uuid })),
  sweepBillingDeadlines: defineTaskType('billing.sweep-deadlines', Type.Object({})),
  voidIntent: defineTaskType('billing.void-intent', Type.Object({ organization_id: Uuid, intent: Type.String() })),
  sweepDeliveryLog: defineTaskType('event_subscriptions.sweep-delivery-log', Type.Object({})),
  sweepEventDays: defineTaskType('event_subscriptions.sweep-event-days', Type.Object({})),
  verifyDomains: defineTaskType('organizations.verify-domains', Type.Object({})),
  sendInvitation: defineTaskType(
    'organizations.send-invitation',
    Type.Object({ organization_id: Uuid, invitation_id: Uuid }),
  ),
  sendAccountMail: defineTaskType('identity.send-account-mail', Type.Object({ mail_id: Uuid })),
  sealAudit: defineTaskType('organizations.seal-audit', Type.Object({})),
  deleteExpiredClaims: defineTaskType('idempotency.forget-claims', Type.Object({})),
  deleteOrphanedBlobs: defineTaskType(
    'items.free-blobs',
    Type.Object({ organization_id: Uuid, paths: Type.Array(Type.String()) }),
  ),
  purgeOrganization: defineTaskType('items.purge-organization', Type.Object({ organization_id: Uuid })),
  sweepRetention: defineTaskType('items.sweep-retention', Type.Object({})),
  runSavedSearch: defineTaskType('catalog.run-search', Type.Object({ organization_id: Uuid, search_id: Uuid })),
  sweepSavedSearches: defineTaskType('catalog.sweep-searches', Type.Object({})),
  runReportSchedule: defineTaskType('reports.run-schedule', Type.Object({ organization_id: Uuid, schedule_id: Uuid })),
  sweepReports: defineTaskType('reports.sweep', Type.Object({})),
  sendEmail: defineTaskType('notifications.send-email', Type.Object({ organization_id: Uuid, email_id: Uuid })),
  sweepEmails: defineTaskType('notifications.sweep-emails', Type.Object({})),
  sweepNotifications: defineTaskType('notifications.sweep-retention', Type.Object({})),
  fulfilOrder: defineTaskType('orders.fulfil', Type.Object({ organization_id: Uuid, order_id: Uuid })),
  placeWithHost: defineTaskType('orders.place-with-host', Type.Object({ organization_id: Uuid, order_id: Uuid })),
  requestStudy: defineTaskType('orders.request-study', Type.Object({ organization_id: Uuid, order_id: Uuid })),
  expireDecisions: defineTaskType('orders.expire-decisions', Type.Object({ organization_id: Uuid, order_id: Uuid })),
  runStandingOrder: defineTaskType(
    'orders.run-standing',
    Type.Object({ organization_id: Uuid, standing_order_id: Uuid }),
  ),
  stopOrder: defineTaskType(
    'orders.stop',
    Type.Object({ organization_id: Uuid, entity_type: Type.String(), entity_id: Type.String() }),
  ),
  withdrawOrder: defineTaskType('orders.withdraw', Type.Object({ organization_id: Uuid, order_id: Uuid })),
  suspendStandingOrders: defineTaskType(
    'orders.suspend-standing',
    Type.Object({ organization_id: Uuid, entity_type: Type.String(), entity_id: Type.String() }),
  ),
  sweepStandingOrders: defineTaskType('orders.sweep-standing', Type.Object({})),
  sweepOrders: defineTaskType('orders.sweep', Type.Object({})),
  cleanJob: defineTaskType('processing.clean', Type.Object({ organization_id: Uuid, job_id: Uuid })),
  runJob: defineTaskType('processing.run', Type.Object({ organization_id: Uuid, job_id: Uuid })),
  stopJob: defineTaskType(
    'processing.stop',
    Type.Object({ organization_id: Uuid, entity_type: Type.String(), entity_id: Type.String() }),
  ),
  sweepJobs: defineTaskType('processing.sweep', Type.Object({})),
  cleanUpload: defineTaskType('uploads.clean', Type.Object({ organization_id: Uuid, upload_id: Uuid })),
  ingestUpload: defineTaskType('uploads.ingest', Type.Object({ organization_id: Uuid, upload_id: Uuid })),
  sweepUploads: defineTaskType('uploads.sweep', Type.Object({})),
} as const satisfies Readonly<Record<string, BackgroundTaskType>>
