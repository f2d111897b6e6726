import { createTenantFixtures, type TenantFixtures } from '../../../packages/server/test/contract/tenant-fixtures.ts'
import { waitForProcessorEvents } from '../../../packages/server/test/billing-helpers.ts'
import { waitForOrderTasks } from '../../../packages/server/test/orders.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { everyScope } from '@swath/client/every-scope.ts'
import {
  createTestOrganization,
  type TestOrganization,
  type TestUser,
} from '../../../packages/server/test/test-organizations.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'
import type { World } from './facts.ts'

/** Enough for the orders, jobs and reports of all principals. */
const credits = 1_000_000

/** Creates the two organizations, and deletes what is to be absent. */
export async function createWorld(app: TestApp): Promise<World> {
  const organization = await createTestOrganization(app, credits)
  const suspendedOrganization = await createTestOrganization(app)
  const bearers = {
    own: await signInOwner(app, organization),
    suspended: await signInOwner(app, suspendedOrganization),
  }
  const addProject = async (name: string) => ({
    ...organization,
    project: (await organization.owner.client.call<{ id: string }>('projects.create', { name })).id,
  })
  const own = await createTenantFixtures(app, organization)
  const otherProject = await createTenantFixtures(app, await addProject('Other fields'))
  const deleted = await createTenantFixtures(app, await addProject('Former fields'))
  const foreign = await createTenantFixtures(app)
  const suspended = await createTenantFixtures(app, suspendedOrganization)
  await waitForOrderTasks(app)
  await waitForProcessorEvents(app)
  const { organization: organization_id } = suspended
  await app.admin.call('admin.orgs.suspend', { organization_id, reason: 'a proof' })
  return { own, otherProject, deleted: await deleteEverything(deleted), foreign, suspended, bearers }
}

/** The tokens of a user, refreshed before they expire. */
export const signIn = (app: TestApp, { email: username, password }: TestUser): (() => Promise<string>) =>
  createTokenSource(app.url, { username, password, scope: everyScope })

/** Signs an owner in before there is a passkey, which is a second factor. */
async function signInOwner(app: TestApp, { owner }: TestOrganization): Promise<() => Promise<string>> {
  const bearer = signIn(app, owner)
  await bearer()
  return bearer
}

/** What is deleted, in this order, with the field that names it afterwards. What stays visible after its end is not here. */
const deletions: readonly (readonly [field: string, operation: string, input: (of: TenantFixtures) => object])[] = [
  ['profile_id', 'visualization.profile.delete', ({ item, profile }) => ({ item_id: item, profile_id: profile })],
  ['asset_id', 'assets.delete', ({ item, asset }) => ({ item_id: item, asset_id: asset })],
  ['item_id', 'items.delete', ({ item }) => ({ item_id: item })],
  ['collection_id', 'collections.delete', ({ project, collection }) => ({ project_id: project, collection_id: collection })],
  ['standing_order_id', 'orders.standing.delete', ({ proposal }) => ({ standing_order_id: proposal.standing_order_id })],
  ['search_id', 'catalog.search.delete', ({ savedSearch }) => ({ search_id: savedSearch })],
  ['rule_id', 'alerts.delete_rule', ({ alertRule }) => ({ rule_id: alertRule })],
  ['formula_id', 'band_formulas.delete', ({ formula }) => ({ formula_id: formula })],
  ['template_id', 'orders.tasking.templates.delete', ({ taskingTemplate }) => ({ template_id: taskingTemplate })],
  ['subscription_id', 'event_subscriptions.delete', ({ subscription }) => ({ subscription_id: subscription })],
  ['webhook_id', 'webhooks.delete', ({ project, webhook }) => ({ workspace_id: project, webhook_id: webhook })],
  ['report_id', 'reports.delete', ({ report }) => ({ report_id: report })],
  ['schedule_id', 'reports.schedules.delete', ({ reportSchedule }) => ({ schedule_id: reportSchedule })],
  ['client_id', 'oauth_clients.delete', ({ oauthClient }) => ({ client_id: oauthClient })],
  ['payment_method_row_id', 'payment_methods.detach', ({ entities }) => ({ payment_method_row_id: entities.purchases.card })],
] // prettier-ignore

/** Other names of fields for the same entities. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  item_id: ['item_ids', 'source_item_id', 'target_item_id', 'entity_id', 'url', 'cog_url'],
  collection_id: ['collections', 'target_collection_id'],
  project_id: ['projectId', 'workspaceId', 'workspace_id', 'target_project_id'],
  search_id: ['saved_search_id'],
}

/** The fields whose entity in `deleted` is gone. */
export const deletedFields: ReadonlySet<string> = new Set(
  ['project_id', ...deletions.map(([field]) => field)].flatMap((field) => [field, ...(aliases[field] ?? [])]),
)

/** Deletes what can be; the project of the result is another one, since one with open orders is not deleted. */
async function deleteEverything(fixtures: TenantFixtures): Promise<TenantFixtures> {
  const { client, job: job_id } = fixtures
  await client.call('processing.job.cancel', { job_id })
  for (const [, operation, input] of deletions) await client.call(operation, input(fixtures))
  const { id: project } = await client.call<{ id: string }>('projects.create', { name: 'Empty fields' })
  await client.call('projects.delete', { project_id: project })
  return { ...fixtures, project }
}

/** Of them, those that nobody can restore or read any more. */
export const irreversiblyDeleted: ReadonlySet<string> = new Set([
  'asset_id',
  'standing_order_id',
  'search_id',
  'saved_search_id',
  'rule_id',
  'formula_id',
  'template_id',
  'subscription_id',
  'webhook_id',
  'report_id',
  'schedule_id',
  'client_id',
])
