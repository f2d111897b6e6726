import type { DelegationKind, DelegationStopReason } from '@swath/contract/delegations.ts'
import type { ProjectPermission } from '@swath/contract/schemas/project.ts'
import type { OrganizationTime, ProcessClockTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { delegationStopReasonSql } from '../../platform/database/statements/creator-condition.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

export interface DelegationRow {
  readonly kind: DelegationKind
  readonly id: string
  readonly name: string
  readonly project_id: string | null
  readonly user_id: string | null
  readonly api_key_id: string | null
  readonly stop_reason: DelegationStopReason | null
  readonly created_at: Date
}

/** The delegations in the rows of a table, with the alias `d`, and how a user takes one over. */
interface DelegationSource {
  readonly from: Sql
  /** Its id; by default that of the row. */
  readonly id?: Sql
  readonly creator: Sql
  readonly name: Sql
  readonly project: Sql
  /** The permission that it needs in the project; by default to read. */
  readonly permission?: ProjectPermission
  /** The rows that would act now if their creator may. */
  isOpen(now: OrganizationTime, processTime: ProcessClockTime): Sql
  /** The assignments that make the user its creator. */
  takeOver(user: string, now: OrganizationTime): Sql
}

const always = (): Sql => sql`true`
const rowId = sql`d.id`
const noProject = sql`null::uuid`
const creatorOfUserAndKey = sql`coalesce(d.created_by_key, d.created_by)::text`
const byUserAlone = (user: string): Sql => sql`created_by = ${user}::uuid, created_by_key = null`

const jobOfToken = sql`from processing_jobs j where j.organization_id = d.organization_id and j.id = d.job_id`

const sources: Readonly<Record<DelegationKind, DelegationSource>> = {
  api_key: {
    from: sql`api_keys`,
    creator: sql`d.created_by::text`,
    name: sql`d.name`,
    project: noProject,
    isOpen: (now) => sql`d.revoked_at is null and (d.expires_at is null or d.expires_at > ${now})`,
    takeOver: (user) => sql`created_by = ${user}::uuid`,
  },
  tile_token: {
    from: sql`tile_tokens`,
    creator: sql`coalesce(d.key_id, d.issuer)::text`,
    name: sql`d.name`,
    project: sql`coalesce(
      (select i.project_id from items i where i.organization_id = d.organization_id and i.id = d.item_id),
      (select c.project_id from collections c where c.organization_id = d.organization_id and c.id = d.collection_id))`,
    isOpen: (now) => sql`d.revoked_at is null and d.expires_at > ${now}`,
    takeOver: (user) => sql`issuer = ${user}::uuid, key_id = null`,
  },
  share_link: {
    from: sql`share_links`,
    creator: sql`d.created_by`,
    name: sql`d.target_type || ' ' || d.target_id`,
    project: sql`d.project_id`,
    isOpen: (now) => sql`d.revoked_at is null and d.expires_at > ${now}`,
    takeOver: (user) => sql`created_by = ${user}`,
  },
  event_subscription: {
    from: sql`event_subscriptions`,
    creator: creatorOfUserAndKey,
    name: sql`coalesce(d.description, d.event_type)`,
    project: sql`d.project_id`,
    isOpen: () => sql`d.active and d.webhook_id is null`,
    takeOver: byUserAlone,
  },
  webhook: {
    from: sql`webhooks`,
    creator: creatorOfUserAndKey,
    name: sql`d.name`,
    project: sql`d.project_id`,
    isOpen: always,
    takeOver: byUserAlone,
  },
  report_schedule: {
    from: sql`report_schedules`,
    creator: sql`coalesce(d.created_by_key, d.user_id)::text`,
    name: sql`d.name`,
    project: sql`d.project_id`,
    isOpen: always,
    takeOver: (user, now) =>
      sql`user_id = ${user}::uuid, created_by_key = null, ended_reason = null, next_run_at = coalesce(next_run_at, ${now})`,
  },
  saved_search: {
    from: sql`saved_searches`,
    creator: sql`d.created_by`,
    name: sql`d.name`,
    project: sql`d.project_id`,
    isOpen: () => sql`d.next_run_at is not null`,
    takeOver: (user, now) => sql`created_by = ${user}, next_run_at = ${now}`,
  },
  standing_order: {
    from: sql`standing_orders`,
    creator: sql`d.created_by::text`,
    name: sql`d.name`,
    project: sql`d.project_id`,
    permission: 'write',
    isOpen: () => sql`d.status <> 'paused'`,
    takeOver: (user) => sql`created_by = ${user}::uuid, status = 'active', status_reason = null`,
  },
  alert_rule: {
    from: sql`alert_rules`,
    creator: sql`d.created_by`,
    name: sql`d.name`,
    project: sql`d.project_id`,
    isOpen: () => sql`d.active`,
    takeOver: (user) => sql`created_by = ${user}, user_id = ${user}::uuid`,
  },
  // It lasts as long as the lease of its job, which it registers the outputs of.
  worker_token: {
    from: sql`worker_tokens`,
    id: sql`d.job_id`,
    creator: sql`coalesce(d.created_by, (select j.created_by ${jobOfToken}))`,
    name: sql`(select j.process_id ${jobOfToken})`,
    project: sql`(select j.project_id ${jobOfToken})`,
    permission: 'write',
    isOpen: (_, processTime) => sql`
      d.expires_at > ${processTime} and exists (select 1 ${jobOfToken} and j.status = 'running' and j.worker = 'external')`,
    takeOver: (user) => sql`created_by = ${user}`,
  },
}

const kinds = Object.keys(sources) as DelegationKind[]

/** When delegations are asked for: leases end by the time of the process, all else by that of the organization. */
export interface DelegationTimes {
  readonly now: OrganizationTime
  readonly processTime: ProcessClockTime
}

/** The delegations of one kind, with their stop reasons. */
function selectKind(organization: string, kind: DelegationKind, { now, processTime }: DelegationTimes): Sql {
  const { from, id = rowId, creator, name, project, permission = 'read', isOpen } = sources[kind]
  const row = { organization: sql`d.organization_id`, creator, project, permission }
  return sql`
    select ${kind}::text as kind, ${id} as id, ${name} as name, ${project} as project_id, ${creator} as creator, d.created_at,
      ${delegationStopReasonSql(row, now)} as stop_reason
    from ${from} d where d.organization_id = ${organization} and ${isOpen(now, processTime)}`
}

const selectAll = (organization: string, times: DelegationTimes): Sql => sql`(
  select d.kind, d.id, d.name, d.project_id, d.created_at, d.stop_reason, k.id as api_key_id,
    coalesce(k.created_by::text, d.creator) as user_id
  from (${sql.join(
    kinds.map((kind) => selectKind(organization, kind, times)),
    sql` union all `,
  )}) d
  left join api_keys k on k.organization_id = ${organization} and k.id::text = d.creator) delegations`

const columns = sql`kind, id, name, project_id, user_id, api_key_id, stop_reason, created_at`

export interface DelegationPage extends DelegationTimes {
  readonly organization: string
  /** Only what does not act any more. */
  readonly stopped: boolean
  readonly limit: number
  readonly offset: number
}

/** A page of what users and API keys have created that acts for them, newest first. */
export const listDelegationRows = (
  db: SqlStatementRunner,
  { organization, stopped, limit, offset, ...times }: DelegationPage,
): Promise<RowPage<DelegationRow>> =>
  selectPage<DelegationRow>(db, {
    columns,
    from: selectAll(organization, times),
    where: sql`(not ${stopped}::boolean or stop_reason is not null)`,
    orderBy: sql`created_at desc, id desc`,
    limit,
    offset,
  })

/** What a user has created that acts for the user, newest first. */
export const listDelegationsOfUser = (
  db: SqlStatementRunner,
  organization: string,
  { user, ...times }: DelegationTimes & { readonly user: string },
): Promise<DelegationRow[]> =>
  db.query<DelegationRow>(sql`
    select ${columns} from ${selectAll(organization, times)} where user_id = ${user}::text
    order by created_at desc, id desc`)

/** The user, or the API key, that created something. */
export type DelegationCreator =
  | { readonly user: string; readonly api_key?: never }
  | { readonly user?: never; readonly api_key: string }

/** The delegations of a user, or of an API key, that do not act any more, newest first. */
export const listStoppedDelegations = (
  db: SqlStatementRunner,
  organization: string,
  { user, api_key, limit, ...times }: DelegationCreator & DelegationTimes & Pick<DelegationPage, 'limit'>,
): Promise<DelegationRow[]> =>
  db.query<DelegationRow>(sql`
    select ${columns} from ${selectAll(organization, times)}
    where stop_reason is not null and (user_id = ${user ?? null}::text or api_key_id = ${api_key ?? null}::uuid)
    order by created_at desc, id desc limit ${limit}`)

export interface DelegationLookup extends DelegationTimes {
  readonly organization: string
  readonly kind: DelegationKind
  readonly id: string
}

export async function findDelegation(
  db: SqlStatementRunner,
  { organization, kind, id, ...times }: DelegationLookup,
): Promise<DelegationRow | null> {
  const [row] = await db.query<DelegationRow>(sql`
    select ${columns} from ${selectAll(organization, times)} where kind = ${kind} and id = ${id}`)
  return row ?? null
}

/** Makes the user its creator. */
export async function updateDelegationCreator(
  tx: Tx,
  { organization, kind, id, user, now }: DelegationLookup & { readonly user: string },
): Promise<void> {
  const { from, id: idColumn = rowId, takeOver } = sources[kind]
  await tx.query(sql`
    update ${from} d set ${takeOver(user, now)} where d.organization_id = ${organization} and ${idColumn} = ${id}`)
  if (kind === 'webhook')
    await tx.query(sql`
      update event_subscriptions set ${byUserAlone(user)} where organization_id = ${organization} and webhook_id = ${id}`)
}
