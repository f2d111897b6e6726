import { hour_ms } from '@swath/geo/time-units.ts'
import type { StuckWorkAction, StuckWorkKind } from '@swath/contract/schemas/stuck-work.ts'
import { listOrphanHolds, releaseOrphanHold } from '../../billing/charges/orphan-holds.ts'
import { discardDeadTask, listDeadTasks, retryDeadTask } from '../../dead-letters/dead-tasks.ts'
import {
  cancelDeadEventDelivery,
  listDeadEventDeliveries,
  redeliverDeadEventDelivery,
} from '../../event_subscriptions/dead/dead-deliveries.ts'
import { endOrderByOperator, pollOrderNow } from '../../orders/silent/silent-orders.ts'
import { listSilentOrders } from '../../orders/silent/store.silent.ts'
import { failJobByOperator, requeueLostJob } from '../../processing/unsettled/unsettled-jobs.ts'
import { listUnsettledJobs } from '../../processing/unsettled/store.unsettled.ts'
import { deleteReport } from '../../reports/delete-report.ts'
import { listOverdueReports } from '../../reports/store.overdue.ts'
import {
  removeUploadObjectsNow,
  endUploadByOperator,
  ingestUploadNow,
  listOverdueUploadCleanings,
} from '../../uploads/stuck/stuck-uploads.ts'
import { listStuckUploads } from '../../uploads/stuck/store.stuck.ts'
import type { Call } from '../../../engine/call.ts'
import type { StuckWorkFilter, StuckWorkRow } from '../../../engine/stuck-work.ts'
import { findQueueTaskOrganizationId, findQueueTaskSubjectId } from '../../dead-letters/task-data.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { type OrganizationClock, shiftTime } from '../../../platform/clock.ts'
import type { DbConnection, SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { toActorInOrganization, listEveryOrganizationId } from '../../organizations/all-organizations.ts'

/** The stuck work that an operator acts on. */
interface StuckWorkTarget {
  readonly id: string
  /** Null for a task that belongs to none. */
  readonly organization: string | null
  readonly reason: string
}

/** Selects stuck work. */
interface StuckWorkQuery {
  /** Null selects work of all organizations but sandboxes, and work without an organization. */
  readonly organization: string | null
  /** Only this one; null for all. */
  readonly id: string | null
  /** For how long it has not moved. */
  readonly min_age_ms: number
  /** A waiting task that has failed this often is stuck. */
  readonly min_failures: number
  readonly limit: number
}

/** One kind of stuck work. */
interface StuckWorkKindDefinition {
  /** For how long it has not moved. */
  readonly min_age_ms: number
  /** The clock that measures its age. */
  readonly clock: 'organization' | 'process'
  list(call: Call, query: StuckWorkQuery): Promise<StuckWorkRow[]>
  /** The actions of an operator. False if the work has moved meanwhile, or its state does not allow the action. */
  readonly actions: Readonly<
    Partial<Record<StuckWorkAction, (call: Call, target: StuckWorkTarget) => Promise<boolean>>>
  >
}

type List = StuckWorkKindDefinition['list']
type Action = (call: Call, target: StuckWorkTarget) => Promise<boolean>

/** Lists stuck work of the organizations one after the other, each with its clock; oldest first. */
const listWithClock =
  (list: (db: SqlStatementRunner, clock: OrganizationClock, query: StuckWorkQuery) => Promise<StuckWorkRow[]>): List =>
  async (call, query) => {
    const organizations =
      query.organization === null ? await listEveryOrganizationId(call.unscoped) : [query.organization]
    const rows: StuckWorkRow[] = []
    for (const organization of organizations) {
      call.signal.throwIfAborted()
      rows.push(...(await list(call.unscoped, call.clocks.forOrganization(organization), query)))
    }
    return rows.toSorted((left, right) => left.since.getTime() - right.since.getTime()).slice(0, query.limit)
  }

/** The same for a query by the time of the organization. */
const listByTime = (
  list: (db: SqlStatementRunner, organization: string, filter: StuckWorkFilter) => Promise<StuckWorkRow[]>,
): List =>
  listWithClock((db, clock, { min_age_ms, id, limit }) =>
    list(db, clock.organization, { before: shiftTime(clock.now(), -min_age_ms), id, limit }),
  )

/** An action in one transaction of the organization. */
const inTransaction =
  (act: (tx: Tx, actor: Actor, id: string, reason: string) => Promise<boolean>): Action =>
  async (call, { organization, id, reason }) => {
    const actor = await toActorInOrganization(call, organization!)
    return call.unscoped.transaction((tx) => act(tx, actor, id, reason))
  }

/** An action on files, which no transaction may wait for. */
const onFiles =
  (
    act: (
      actor: Actor,
      stores: { readonly db: DbConnection; readonly blobs: BlobStore },
      id: string,
    ) => Promise<boolean>,
  ): Action =>
  async (call, { organization, id }) =>
    act(await toActorInOrganization(call, organization!), { db: call.unscoped, blobs: call.blobs }, id)

/** More than there are: the id is looked for among all. */
const max_dead_tasks = 1000

const describe = (task: string, about: string | null): string => (about === null ? task : `${task} ${about}`)

/** Tasks of the queue that do not move. */
async function listStuckTaskRows(call: Call, query: StuckWorkQuery): Promise<StuckWorkRow[]> {
  return (await call.operatedQueue.stuck(query)).map(({ task, data, reason, error, since, ...row }) => {
    const taskData = (data ?? {}) as Readonly<Record<string, unknown>>
    const organization_id = findQueueTaskOrganizationId(taskData)
    return {
      id: row.id,
      organization_id,
      subject: describe(task, findQueueTaskSubjectId(taskData)),
      reason,
      detail: error,
      since,
    }
  })
}

/** Tasks that have used up their attempts. */
async function listDeadTaskRows(call: Call, { organization, id, limit }: StuckWorkQuery): Promise<StuckWorkRow[]> {
  const letters = await listDeadTasks(call, { organization, limit: max_dead_tasks })
  return letters
    .filter((letter) => id === null || letter.id === id)
    .map((letter): StuckWorkRow => ({
      id: letter.id,
      organization_id: letter.organization_id,
      subject: describe(letter.task, letter.subject),
      reason: 'gave-up',
      detail: letter.error,
      since: new Date(letter.failed_at),
    }))
    .toReversed()
    .slice(0, limit)
}

/** The kinds of work that can get stuck, each with the query of its module. */
export const stuckWorkQueries: Readonly<Record<StuckWorkKind, StuckWorkKindDefinition>> = {
  task: {
    min_age_ms: 600_000,
    clock: 'process',
    list: listStuckTaskRows,
    actions: {
      retry: (call, { id }) => call.operatedQueue.requeue(id),
      cancel: (call, { id }) => call.operatedQueue.cancel(id),
    },
  },
  dead_task: {
    min_age_ms: 0,
    clock: 'process',
    list: listDeadTaskRows,
    actions: { retry: (call, { id }) => retryDeadTask(call, id), cancel: (call, { id }) => discardDeadTask(call, id) },
  },
  delivery: {
    min_age_ms: 0,
    clock: 'organization',
    list: listByTime(listDeadEventDeliveries),
    actions: { retry: inTransaction(redeliverDeadEventDelivery), cancel: inTransaction(cancelDeadEventDelivery) },
  },
  job: {
    min_age_ms: hour_ms,
    clock: 'organization',
    list: listByTime(listUnsettledJobs),
    actions: { retry: inTransaction(requeueLostJob), cancel: inTransaction(failJobByOperator) },
  },
  hold: {
    min_age_ms: hour_ms,
    clock: 'organization',
    list: listByTime(listOrphanHolds),
    actions: { release: inTransaction(releaseOrphanHold) },
  },
  order: {
    min_age_ms: 24 * hour_ms,
    clock: 'organization',
    list: listByTime(listSilentOrders),
    actions: { retry: inTransaction(pollOrderNow), cancel: inTransaction(endOrderByOperator) },
  },
  upload: {
    min_age_ms: 24 * hour_ms,
    clock: 'organization',
    list: listByTime(listStuckUploads),
    actions: { retry: inTransaction(ingestUploadNow), cancel: inTransaction(endUploadByOperator) },
  },
  upload_cleaning: {
    min_age_ms: hour_ms,
    clock: 'process',
    list: listWithClock(listOverdueUploadCleanings),
    actions: { retry: onFiles(removeUploadObjectsNow) },
  },
  report_cleaning: {
    min_age_ms: hour_ms,
    clock: 'organization',
    list: listByTime(listOverdueReports),
    actions: {
      retry: onFiles(async (actor, stores, id) => {
        await deleteReport(actor, stores, id)
        return true
      }),
    },
  },
}
