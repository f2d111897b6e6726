import type { TSchema } from 'typebox'
import type { Operation } from '@swath/contract/operation.ts'
import { newId } from '../../src/platform/ids.ts'
import { readExamples } from './examples/reads.ts'
import { writeExamples } from './examples/writes.ts'
import type { TenantFixtures } from './tenant-fixtures.ts'
import type { ContractFixtures } from './fixtures.ts'

type IdSource = (fixtures: TenantFixtures) => string

/** The entity id for each field name. A new operation with another id field adds a row. */
const idSources: Readonly<Record<string, IdSource>> = {
  organization_id: (fixtures) => fixtures.organization,
  project_id: (fixtures) => fixtures.project,
  projectId: (fixtures) => fixtures.project,
  workspaceId: (fixtures) => fixtures.project,
  workspace_id: (fixtures) => fixtures.project,
  webhook_id: (fixtures) => fixtures.webhook,
  // The example is one of a webhook.
  delegation_id: (fixtures) => fixtures.webhook,
  collection_id: (fixtures) => fixtures.collection,
  collections: (fixtures) => fixtures.collection,
  target_project_id: (fixtures) => fixtures.project,
  target_collection_id: (fixtures) => fixtures.collection,
  target_item_id: (fixtures) => fixtures.item,
  target_id: (fixtures) => fixtures.item,
  item_id: (fixtures) => fixtures.item,
  item_ids: (fixtures) => fixtures.item,
  asset_id: (fixtures) => fixtures.asset,
  bundle_id: (fixtures) => fixtures.item,
  budget_id: (fixtures) => fixtures.project,
  budgetId: (fixtures) => fixtures.project,
  order_id: (fixtures) => fixtures.order,
  orderId: (fixtures) => fixtures.entities.decisions.order,
  study_id: (fixtures) => fixtures.entities.decisions.study,
  quotation_id: (fixtures) => fixtures.entities.decisions.quotation,
  template_id: ({ taskingTemplate }) => taskingTemplate,
  subscription_id: ({ subscription }) => subscription,
  delivery_id: ({ delivery }) => delivery,
  quote_id: (fixtures) => fixtures.entities.quote,
  rule_id: ({ alertRule }) => alertRule,
  notification_id: ({ notification }) => notification,
  event_id: ({ alertEvent }) => alertEvent,
  search_id: (fixtures) => fixtures.savedSearch,
  report_id: ({ report }) => report,
  schedule_id: ({ reportSchedule }) => reportSchedule,
  saved_search_id: (fixtures) => fixtures.savedSearch,
  standing_order_id: ({ proposal }) => proposal.standing_order_id,
  user_id: (fixtures) => fixtures.otherUser,
  organizationId: (fixtures) => fixtures.organization,
  userId: (fixtures) => fixtures.otherUser,
  hold_id: (fixtures) => fixtures.entities.purchases.hold,
  transaction_id: (fixtures) => fixtures.entities.purchases.transaction,
  payment_method_row_id: (fixtures) => fixtures.entities.purchases.card,
  topup_id: (fixtures) => fixtures.entities.purchases.topup,
  commitment_id: (fixtures) => fixtures.entities.purchases.commitment,
  approval_id: ({ approval }) => approval,
  invoice_id: ({ invoice }) => invoice,
  job_id: (fixtures) => fixtures.job,
  job_type_id: () => newId(),
  source_item_id: (fixtures) => fixtures.item,
  key_id: (fixtures) => fixtures.entities.key,
  client_id: ({ oauthClient }) => oauthClient,
  invitation_id: (fixtures) => fixtures.entities.invitation,
  access_id: (fixtures) => fixtures.entities.supportAccess,
  scim_token_id: (fixtures) => fixtures.entities.scimToken,
  emergency_access: (fixtures) => fixtures.otherUser,
  // Changes of roles belong to the operators.
  role_change_id: () => newId(),
  token_id: (fixtures) => fixtures.entities.token,
  session_id: (fixtures) => fixtures.entities.session,
  passkey_id: (fixtures) => fixtures.entities.passkey,
  upload_id: ({ upload }) => upload,
  link_id: ({ shareLink }) => shareLink.id,
  profile_id: ({ profile }) => profile,
  formula_id: ({ formula }) => formula,
  entity_id: (fixtures) => fixtures.item,
  eula_id: () => newId(),
  document_id: () => newId(),
  url: (fixtures) => `${fixtures.app.url}/api/v1/items/${fixtures.item}/assets/${fixtures.asset}`,
  cog_url: (fixtures) => `${fixtures.app.url}/api/v1/items/${fixtures.item}/assets/${fixtures.asset}`,
}

/** Filters by an id: lists have nothing for an unknown one. */
export const idFilters: Readonly<Record<string, Readonly<Record<string, IdSource>>>> = {
  'orders.tasking.feasibility_studies.list': {
    id: (fixtures) => fixtures.entities.decisions.study,
    orderId: (fixtures) => fixtures.entities.decisions.order,
  },
  'orders.tasking.quotations.list': {
    id: (fixtures) => fixtures.entities.decisions.quotation,
    orderId: (fixtures) => fixtures.entities.decisions.order,
  },
}

/** Operations for another kind of entity than the name of the field says. */
const operationSources: Readonly<Record<string, Readonly<Record<string, IdSource>>>> = {
  'items.features.list': { item_id: ({ vector }) => vector },
  'items.tile.vector': { item_id: ({ vector }) => vector },
}

/** Returns the entity id for a field of an operation. */
export const sourceOf = (operation: Operation, name: string): IdSource | undefined =>
  idFilters[operation.id]?.[name] ?? operationSources[operation.id]?.[name] ?? idSources[name]

/** Fields that hold an id although their schema does not say so. */
const hiddenIdFields: Readonly<Record<string, readonly string[]>> = {
  'provenance.get': ['entity_id'],
  'cog.thumbnail': ['url'],
  'cog.tile.render': ['url'],
  'cog.tile.terrain': ['url'],
  'cog.statistics': ['url'],
  'analytics.band_math': ['cog_url'],
  'analytics.calculate_index': ['cog_url'],
}

/** Operations that accept exactly one of their ids. */
export const exclusiveIdOperations = new Set([
  'billing.charge.explain',
  'items.tile.token.create',
  'items.tile.token.list',
])

interface Schema {
  readonly format?: string
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
}

function idKind(schema: Schema): 'one' | 'many' | null {
  if (schema.format === 'uuid') return 'one'
  if (schema.items) return idKind(schema.items as Schema) ? 'many' : null
  return (schema.anyOf ?? []).map((inner) => idKind(inner as Schema)).find((candidates) => candidates !== null) ?? null
}

export const createExample = (operation: Operation, fixtures: ContractFixtures): Record<string, unknown> => ({
  ...(readExamples[operation.id] ?? writeExamples[operation.id]!)(fixtures),
})

/** The fields of an operation that hold an id. */
export function findIdFields(operation: Operation): { name: string; many: boolean }[] {
  const { properties } = operation.input as unknown as { properties: Record<string, Schema> }
  const candidates = Object.entries(properties).map(([name, schema]) => ({ name, holds: idKind(schema) }))
  const named = candidates
    .filter(({ holds }) => holds !== null)
    .map(({ name, holds }) => ({ name, many: holds === 'many' }))
  return [...named, ...(hiddenIdFields[operation.id] ?? []).map((name) => ({ name, many: false }))]
}

/** The fields whose entity must exist: neither filters nor lists of ids. */
export const findRequiringIdFields = (operation: Operation): { name: string }[] =>
  findIdFields(operation).filter(({ name, many }) => !many && !idFilters[operation.id]?.[name])
