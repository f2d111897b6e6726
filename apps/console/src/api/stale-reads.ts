import type { OperationId } from '@swath/client/operations.ts'

const money: readonly OperationId[] = [
  'billing.credits.balance',
  'billing.credits.transactions',
  'billing.lots.list',
  'users.me',
]
const order: readonly OperationId[] = ['orders.list', 'orders.get', 'orders.timeline']
const decision: readonly OperationId[] = [...order, 'orders.tasking.decisions.pending', 'orders.tasking.feasibility_studies.list', 'orders.tasking.quotations.list'] // prettier-ignore

/** The reads that change with events of which people are notified. */
const told: readonly OperationId[] = ['notifications.list', 'notifications.unread_count']

/** Reads whose output an event of this kind (the first word of its type) changes. */
const readsByKind: Readonly<Record<string, readonly OperationId[]>> = {
  alert: ['alerts.events.list', 'alerts.rules.list', 'alerts.rule.get', ...told],
  order: [
    ...told,
    ...decision,
    'orders.coverage.get',
    'orders.list_assets',
    ...money,
    'billing.charge.explain',
    'organizations.members.spend.get',
  ],
  feasibility: [...decision, ...told],
  quotation: [...decision, ...money, ...told],
  tasking: order,
  item: ['items.search_org', 'stac.search', 'items.get', 'items.list', 'items.list_expiring', 'collections.list'],
  asset: ['items.get', 'items.list_assets'],
  job: ['processing.jobs.list', 'processing.job.get', 'processing.job.log', 'processing.catalog.estimate', ...money],
  upload: ['uploads.list', 'uploads.get', 'items.list', 'stac.search', ...told],
  collection: ['collections.list', 'collections.get'],
  project: ['projects.list', 'projects.get'],
  topup: [...money, 'billing.approvals.list', ...told],
  credits: [...money, ...told],
  hold: money,
  payment: money,
  payment_method: ['payment_methods.list', 'billing.status.get', ...told],
  dispute: [...money, ...told],
  invoice: ['billing.invoices.list', ...money, ...told],
  commitment: ['organizations.commitments.list'],
  eula: ['eulas.list', 'eulas.document.get'],
  event_subscription: [
    'event_subscriptions.list',
    'event_subscriptions.get',
    'event_subscriptions.deliveries.list',
    ...told,
  ],
  saved_search: ['catalog.search.list', ...told],
  standing_order: ['orders.standing.list', 'orders.standing.scenes.list', ...told],
  share: ['share.link.list'],
  invitation: ['organizations.invitations.list', ...told],
  member: ['organizations.members.list', 'organizations.delegations.list'],
  support_access: ['organizations.support_access.list', ...told],
  scim_token: ['organizations.scim_tokens.list'],
  organization: [
    'organizations.members.list',
    'organizations.delegations.list',
    'organizations.domains.list',
    'organizations.provider.get',
    'users.me',
    ...told,
  ],
}

/** The reads that events of these types make stale. */
export function findStaleReads(event_types: readonly string[]): ReadonlySet<OperationId> {
  const kinds = new Set(event_types.map((type) => type.split('.')[0]!))
  const reads = [...kinds].flatMap((kind) => readsByKind[kind] ?? [])
  return new Set(event_types.length > 0 ? [...reads, 'events.list' as const] : [])
}

interface ReadState {
  readonly fetchStatus: 'fetching' | 'paused' | 'idle'
  readonly fetchFailureCount: number
}

/**
 * Whether a read that failed is repeated in a moment. Its retry reads the new data; if each event began it again, it
 * would never come to the end of its attempts, and its failure would never be shown.
 */
export const isRetrying = ({ fetchStatus, fetchFailureCount }: ReadState): boolean =>
  fetchStatus !== 'idle' && fetchFailureCount > 0
