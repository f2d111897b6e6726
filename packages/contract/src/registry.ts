import type { Operation } from './operation.ts'
import * as adminCommitments from './operations/admin.commitments.ts'
import * as adminCreditAdjustments from './operations/admin.credit_adjustments.ts'
import * as adminDataProducts from './operations/admin.data_products.ts'
import * as adminOrgs from './operations/admin.orgs.ts'
import * as adminRateCards from './operations/admin.rate_cards.ts'
import * as adminRoleChanges from './operations/admin.role_changes.ts'
import * as adminStuckWork from './operations/admin.stuck_work.ts'
import * as adminSupportAccess from './operations/admin.support_access.ts'
import * as adminTasking from './operations/admin.tasking.ts'
import * as admin from './operations/admin.ts'
import * as adminUsers from './operations/admin.users.ts'
import * as alerts from './operations/alerts.ts'
import * as analytics from './operations/analytics.ts'
import * as apiKeys from './operations/api_keys.ts'
import * as assets from './operations/assets.ts'
import * as bandFormulas from './operations/band_formulas.ts'
import * as billingApprovals from './operations/billing.approvals.ts'
import * as billingBudgets from './operations/billing.budgets.ts'
import * as billingFreeTier from './operations/billing.free_tier.ts'
import * as billingInvoices from './operations/billing.invoices.ts'
import * as billingReconciliation from './operations/billing.reconciliation.ts'
import * as billing from './operations/billing.ts'
import * as catalogInfo from './operations/catalog.info.ts'
import * as catalogSearch from './operations/catalog.search.ts'
import * as catalogStac from './operations/catalog.stac.ts'
import * as catalog from './operations/catalog.ts'
import * as clipJob from './operations/clip.job.ts'
import * as clip from './operations/clip.ts'
import * as cog from './operations/cog.ts'
import * as collections from './operations/collections.ts'
import * as eulas from './operations/eulas.ts'
import * as eventSubscriptionsDeliveries from './operations/event_subscriptions.deliveries.ts'
import * as eventSubscriptions from './operations/event_subscriptions.ts'
import * as eventTypes from './operations/event_types.ts'
import * as events from './operations/events.ts'
import * as glossary from './operations/glossary.ts'
import * as itemsBundles from './operations/items.bundles.ts'
import * as itemsTile from './operations/items.tile.ts'
import * as items from './operations/items.ts'
import * as notifications from './operations/notifications.ts'
import * as oauthClients from './operations/oauth_clients.ts'
import * as ordersStanding from './operations/orders.standing.ts'
import * as ordersTasking from './operations/orders.tasking.ts'
import * as orders from './operations/orders.ts'
import * as organizationsAudit from './operations/organizations.audit.ts'
import * as organizationsDomains from './operations/organizations.domains.ts'
import * as organizationsInvitations from './operations/organizations.invitations.ts'
import * as organizationsMembers from './operations/organizations.members.ts'
import * as organizationsSupportAccess from './operations/organizations.support_access.ts'
import * as organizationsProvider from './operations/organizations.provider.ts'
import * as organizationsScimTokens from './operations/organizations.scim_tokens.ts'
import * as organizations from './operations/organizations.ts'
import * as paymentMethods from './operations/payment_methods.ts'
import * as processingCatalog from './operations/processing.catalog.ts'
import * as processingJob from './operations/processing.job.ts'
import * as processing from './operations/processing.ts'
import * as projects from './operations/projects.ts'
import * as provenance from './operations/provenance.ts'
import * as reportsSchedules from './operations/reports.schedules.ts'
import * as reports from './operations/reports.ts'
import * as sandbox from './operations/sandbox.ts'
import * as shareLink from './operations/share.link.ts'
import * as share from './operations/share.ts'
import * as stacItems from './operations/stac.items.ts'
import * as stacCollections from './operations/stac.collections.ts'
import * as stac from './operations/stac.ts'
import * as uploads from './operations/uploads.ts'
import * as usage from './operations/usage.ts'
import * as usersPasskeys from './operations/users.passkeys.ts'
import * as usersTokens from './operations/users.tokens.ts'
import * as usersTotp from './operations/users.totp.ts'
import * as users from './operations/users.ts'
import * as visualizationProfile from './operations/visualization.profile.ts'
import * as visualization from './operations/visualization.ts'
import * as webhooks from './operations/webhooks.ts'
import { commonProblems, type ProblemName } from './problems.ts'

const modules: readonly object[] = [
  adminCommitments,
  adminCreditAdjustments,
  adminDataProducts,
  adminOrgs,
  adminRateCards,
  adminRoleChanges,
  adminStuckWork,
  adminSupportAccess,
  adminTasking,
  admin,
  adminUsers,
  alerts,
  analytics,
  apiKeys,
  assets,
  bandFormulas,
  billingApprovals,
  billingBudgets,
  billingFreeTier,
  billingInvoices,
  billingReconciliation,
  billing,
  catalogInfo,
  catalogSearch,
  catalogStac,
  catalog,
  clipJob,
  clip,
  cog,
  collections,
  eulas,
  eventSubscriptionsDeliveries,
  eventSubscriptions,
  eventTypes,
  events,
  glossary,
  itemsBundles,
  itemsTile,
  items,
  notifications,
  oauthClients,
  ordersStanding,
  ordersTasking,
  orders,
  organizationsAudit,
  organizationsDomains,
  organizationsInvitations,
  organizationsMembers,
  organizationsSupportAccess,
  organizationsProvider,
  organizationsScimTokens,
  organizations,
  paymentMethods,
  processingCatalog,
  processingJob,
  processing,
  projects,
  provenance,
  reportsSchedules,
  reports,
  sandbox,
  shareLink,
  share,
  stacItems,
  stac,
  stacCollections,
  uploads,
  usage,
  usersPasskeys,
  usersTokens,
  usersTotp,
  users,
  visualizationProfile,
  visualization,
  webhooks,
]

/** Compares by code unit, so that the generated files do not depend on a locale. */
const compareIds = (a: Operation, b: Operation): number => (a.id < b.id ? -1 : Number(a.id > b.id))

/** Every operation, sorted by id. */
export const operationRegistry: readonly Operation[] = modules
  .flatMap((module) => Object.values<Operation>(module as Record<string, Operation>))
  .sort(compareIds)

const operationsById: ReadonlyMap<string, Operation> = new Map(operationRegistry.map((entry) => [entry.id, entry]))
if (operationsById.size !== operationRegistry.length)
  throw new Error('Two operations of the contract have the same id.')

/** The operation with this id, or undefined. */
export const findOperation = (id: string): Operation | undefined => operationsById.get(id)

/** The operation behind `/v1/{a}/{b}/…`: the segments are the id with slashes for dots. */
export const findOperationByPath = (segments: readonly string[]): Operation | undefined =>
  segments.some((segment) => segment.includes('.')) ? undefined : findOperation(segments.join('.'))

/** Further names of query parameters in GET requests: parameter to field, by operation. */
export const queryParameterAliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'orders.get': { id: 'order_id' },
}

/**
 * Every problem that a call of the operation can answer, the common ones included. A public operation also rejects an
 * invalid token.
 */
export function listPossibleProblems(operation: Operation): ProblemName[] {
  const names = new Set<ProblemName>([...commonProblems, ...operation.problems])
  if (operation.scope === null) names.delete('insufficient-scope')
  if (operation.permission !== null || operation.acts_on !== null) names.add('forbidden')
  if (operation.callers !== 'any') names.add('user-required')
  if (operation.callers === 'account-owners') names.add('forbidden')
  if (operation.idempotent) names.add('idempotency-conflict').add('idempotency-in-flight')
  return [...names]
}

/** True if the contract says that a call of the operation can answer this problem. */
export const declaresProblem = (operation: Operation, name: ProblemName): boolean =>
  listPossibleProblems(operation).includes(name)
