import { createClient, type Client } from '@swath/client/client.ts'
import type { DelegationKind } from '@swath/contract/delegations.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'
import { sql, type Sql } from '../../src/platform/database/sql.ts'
import type { TypedTaskName } from '../../src/platform/queue/queue.ts'
import { newId } from '../../src/platform/ids.ts'
import { createFaultyHost } from '../hosts/faulty-host.ts'
import { createJobRequest } from '../processing/jobs.ts'
import { area, createCatalogHost, type CatalogHost } from '../standing-orders.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import type { TestOrganization } from '../test-organizations.ts'
import { eventually } from '../webhooks/delivery-client.ts'

export interface CreatedDelegation {
  readonly id: string
  /**
   * Lets it do what it is there for, and says whether it does. What calls with a secret of its own uses another one if passed:
   * that of a take-over.
   */
  isActing(secret?: string | null): Promise<boolean>
}

export interface Creator {
  readonly client: Client
  readonly organization: TestOrganization
}

/** An app whose background work runs at once, with a host of imagery whose catalogue the trials fill. */
export interface TrialApp {
  readonly app: TestApp
  readonly catalogHost: CatalogHost
}

export async function startTrialApp(): Promise<TrialApp> {
  const catalogHost = await createCatalogHost('trials')
  const hosts = [await createFaultyHost('good'), catalogHost]
  return { app: await startTestApp({ hosts, background: { poll_s: 0.05 } }), catalogHost }
}

const password = 'a password for visitors'
const inbox = 'swath://inbox'
const create = (client: Client, id: string, input: object) => client.call<Record<string, string>>(id, input)

const countRows = async ({ app }: TrialApp, from: Sql): Promise<number> => {
  const [row] = await app.database.unscoped.query<{ count: number }>(sql`select count(*)::int as count from ${from}`)
  return row!.count
}

/** In milliseconds, as the times that runs write: a run compares the time of its row with the one that it has read. */
const aSecondAgo = sql`date_trunc('milliseconds', now() - interval '1 second')`

/** Runs a task as its schedule would, and waits until it has moved the time of its next run, which is the past before. */
async function runDue<Data extends object>(
  { app }: TrialApp,
  task: TypedTaskName<Data>,
  { rows, data }: { readonly rows: Sql; readonly data: Data },
): Promise<void> {
  await app.database.unscoped.transaction(async (tx) => {
    await tx.query(sql`update ${rows} and next_run_at is not null`)
    await app.queue.enqueue(tx, task, data)
  })
}

/** Says whether an event that the trigger causes is delivered to one of the subscriptions. */
async function isDelivered(trial: TrialApp, subscriptions: Sql, trigger: () => Promise<unknown>): Promise<boolean> {
  const open = sql`event_deliveries where subscription_id in (${subscriptions})`
  const delivered = sql`event_delivery_log where state = 'succeeded' and subscription_id in (${subscriptions})`
  const before = await countRows(trial, delivered)
  await trigger()
  const isSent = async (): Promise<boolean> => (await countRows(trial, delivered)) > before
  if ((await countRows(trial, open)) === 0 && !(await isSent())) return false
  await eventually(async () => ((await isSent()) ? true : undefined), 'the delivery')
  return true
}

/** Publishes a scene, runs the saved search, and says whether it has announced the scene. */
async function isScenePublished(
  trial: TrialApp,
  organization: string,
  search_id: string,
  scene: string,
): Promise<boolean> {
  const { app, catalogHost } = trial
  const matches = sql`events
    where organization_id = ${organization} and kind = 'saved_search.matched' and entity_id = ${search_id}`
  const before = await countRows(trial, matches)
  catalogHost.publish(scene, app.clock.now())
  await app.database.unscoped.query(sql`
    update saved_search_sources set next_run_at = ${aSecondAgo}
    where organization_id = ${organization} and search_id = ${search_id}`)
  await runDue(trial, backgroundTaskTypes.runSavedSearch, {
    rows: sql`saved_searches set next_run_at = ${aSecondAgo} where id = ${search_id}`,
    data: { organization_id: organization, search_id },
  })
  const ran = sql`saved_searches where id = ${search_id} and next_run_at > now()`
  await eventually(async () => ((await countRows(trial, ran)) > 0 ? true : undefined), 'the run of the search')
  return (await countRows(trial, matches)) > before
}

/** Creates a delegation of a kind, with a function that tries it. */
type DelegationCreator = (trial: TrialApp, creator: Creator) => Promise<CreatedDelegation>

const createSavedSearch = async ({ catalogHost }: TrialApp, client: Client, project_id: string): Promise<string> => {
  const filters = { intersects: area }
  const input = { name: newId(), project_id, source_ids: [catalogHost.name], filters, notify: true }
  return (await create(client, 'catalog.search.save', input)).id!
}

const createStandingOrder: DelegationCreator = async (
  trial,
  { client, organization: { owner, organization, project } },
) => {
  const saved_search_id = await createSavedSearch(trial, owner.client, project)
  const caps = { max_credits_per_scene: 100_000, max_credits_per_month: 1_000_000 }
  const input = { saved_search_id, project_id: project, mode: 'ask', ...caps }
  const { id } = await create(client, 'orders.standing.create', input)
  const isActing = async () => {
    const scene_id = newId()
    await isScenePublished(trial, organization, saved_search_id, scene_id)
    await trial.app.database.unscoped.transaction((tx) =>
      trial.app.queue.enqueue(tx, backgroundTaskTypes.runStandingOrder, {
        organization_id: organization,
        standing_order_id: id!,
      }),
    )
    const scenes = sql`standing_order_scenes where standing_order_id = ${id} and scene_id = ${scene_id}`
    const pending = sql`${scenes} and status = 'pending' and exists (
      select 1 from standing_orders where id = ${id} and status = 'active')`
    await eventually(async () => ((await countRows(trial, pending)) === 0 ? true : undefined), 'the scene')
    return (await countRows(trial, sql`${scenes} and status = 'proposed'`)) > 0
  }
  return { id: id!, isActing }
}

/** A rule of the owner is evaluated beside it: once that has happened, the other was or never is. */
const createAlertRule: DelegationCreator = async (trial, { client, organization: { owner, project: project_id } }) => {
  const input = { name: 'a', project_id, expression: 'b1', comparison: 'lt', threshold: 1e9 }
  const createRule = async (by: Client): Promise<string> =>
    (await by.call<{ alert_rule: { id: string } }>('alerts.create_rule', input)).alert_rule.id
  const [id, control] = [await createRule(client), await createRule(owner.client)]
  const { input_params } = await createJobRequest(owner.client, project_id, 0)
  const isActing = async () => {
    const { id: item } = await create(owner.client, 'items.duplicate', { item_id: input_params.item })
    const evaluated = (rule: string) =>
      sql`alert_evaluations where rule_id = ${rule} and item_id = ${item} and state = 'measured'`
    await eventually(async () => ((await countRows(trial, evaluated(control))) > 0 ? true : undefined), 'the value')
    return (await countRows(trial, evaluated(id))) > 0
  }
  return { id, isActing }
}

/** The owner creates the job: the token acts for who hands it over. */
const createWorkerToken: DelegationCreator = async ({ app }, { client, organization: { owner, project } }) => {
  const { job } = await owner.client.call<{ job: { id: string } }>(
    'processing.create',
    await createJobRequest(owner.client, project, 0),
  )
  const { assignment } = await client.call<{ assignment: { token: string } }>('processing.job.delegate', {
    job_id: job.id,
  })
  const isActing = async (secret?: string | null) => {
    const worker = createClient({ baseUrl: app.url, token: secret ?? assignment.token })
    const body = JSON.stringify({ job_id: job.id, outputs: [] })
    // A worker that acts is told that its outputs are missing, and may send them after that; any other is not heard.
    return (await worker.fetch('/v1/op/processing.job.register', { method: 'POST', body })).status !== 401
  }
  return { id: job.id, isActing }
}

/** Every kind of delegation. */
export const delegationTrials: Readonly<Record<DelegationKind, DelegationCreator>> = {
  api_key: async ({ app }, { client }) => {
    const { id, key } = await create(client, 'api_keys.create', { name: 'k', permissions: ['can_read'] })
    const isActing = async (secret?: string | null) =>
      (
        await createClient({ baseUrl: app.url, token: secret ?? key! }).fetch('/v1/op/users.me', {
          method: 'POST',
          body: '{}',
        })
      ).ok
    return { id: id!, isActing }
  },
  tile_token: async ({ app }, { client, organization: { project: project_id } }) => {
    const collection = await create(client, 'collections.create', { project_id, name: newId() })
    const { id, token } = await create(client, 'items.tile.token.create', { collection_id: collection.id, name: 't' })
    // An item that is not there: 404 for a token that acts, and 401 for any other.
    const url = `${app.url}/api/v1/items/${newId()}/tiles/1/1/1.png?key=${token}`
    return { id: id!, isActing: async () => (await fetch(url)).status === 404 }
  },
  share_link: async ({ app }, { client, organization: { project: project_id } }) => {
    const { id: target_id } = await create(client, 'collections.create', { project_id, name: newId() })
    const expires_at = new Date(app.clock.now().getTime() + 86_400_000).toISOString()
    const input = { target_type: 'collection', target_id, password, expires_at }
    const { id, token } = await create(client, 'share.link.create', input)
    const body = JSON.stringify({ token, password })
    const validate = () => fetch(`${app.url}/v1/op/share.link.validate`, { method: 'POST', body })
    return { id: id!, isActing: async () => (await validate()).ok }
  },
  event_subscription: async (trial, { client, organization: { owner, project: project_id } }) => {
    const input = { event_type: 'collection.created', endpoint_url: inbox }
    const { id } = await create(client, 'event_subscriptions.create', input)
    const trigger = () => create(owner.client, 'collections.create', { project_id, name: newId() })
    return { id: id!, isActing: () => isDelivered(trial, sql`select ${id}::uuid`, trigger) }
  },
  webhook: async (trial, { client, organization: { owner, project } }) => {
    const input = { workspace_id: project, name: 'w', url: inbox, events: ['job.status'] }
    const { id } = await create(client, 'webhooks.create', input)
    const job = await createJobRequest(owner.client, project, 0)
    const trigger = () => create(owner.client, 'processing.create', job)
    const subscriptions = sql`select id from event_subscriptions where webhook_id = ${id}`
    return { id: id!, isActing: () => isDelivered(trial, subscriptions, trigger) }
  },
  report_schedule: async (trial, { client, organization: { organization, project: project_id } }) => {
    const input = { name: 'r', report_type: 'orders', project_id, formats: ['csv'], frequency: 'weekly' }
    const { id } = await create(client, 'reports.schedules.create', input)
    const reports = sql`reports where schedule_id = ${id} and organization_id = ${organization}`
    const isActing = async () => {
      const before = await countRows(trial, reports)
      await runDue(trial, backgroundTaskTypes.runReportSchedule, {
        rows: sql`report_schedules set next_run_at = ${aSecondAgo} where id = ${id}`,
        data: { organization_id: organization, schedule_id: id! },
      })
      const due = sql`report_schedules where id = ${id} and next_run_at <= now()`
      await eventually(async () => ((await countRows(trial, due)) === 0 ? true : undefined), 'the run of the schedule')
      return (await countRows(trial, reports)) > before
    }
    return { id: id!, isActing }
  },
  saved_search: async (trial, { client, organization: { organization, project } }) => {
    const id = await createSavedSearch(trial, client, project)
    return { id, isActing: () => isScenePublished(trial, organization, id, newId()) }
  },
  standing_order: createStandingOrder,
  alert_rule: createAlertRule,
  worker_token: createWorkerToken,
}
