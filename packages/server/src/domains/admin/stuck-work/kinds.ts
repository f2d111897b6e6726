import { hour_ms } from '@swath/geo/time-units.ts'
import type { StuckWorkKind } from '@swath/contract/schemas/stuck-work.ts'
import { listOrphanHolds, releaseOrphanHold } from '../../billing/charges/orphan-holds.ts'
import { discardDeadTask, retryDeadTask } from '../../dead-letters/dead-tasks.ts'
import { giveUpDelivery, listDeadDeliveries, redeliverNow } from '../../event_subscriptions/dead/dead-deliveries.ts'
import { endOrderByOperator, pollOrderNow } from '../../orders/silent/silent-orders.ts'
import { listSilentOrders } from '../../orders/silent/store.silent.ts'
import { failJobByOperator, runJobNow } from '../../processing/unsettled/unsettled-jobs.ts'
import { listUnsettledJobs } from '../../processing/unsettled/store.unsettled.ts'
import { deleteReport } from '../../reports/delete-report.ts'
import { listOverdueReports } from '../../reports/store.overdue.ts'
import {
  cleanUploadNow,
  endUploadByOperator,
  ingestUploadNow,
  listOverdueUploadCleanings,
} from '../../uploads/stuck/stuck-uploads.ts'
import { listStuckUploads } from '../../uploads/stuck/store.stuck.ts'
import { inTransaction, listByTime, listWithClock, onFiles } from './of-organizations.ts'
import { listDeadTaskRows, listStuckTaskRows } from './stuck-tasks.ts'
import type { StuckWorkKindDefinition } from './stuck-work-kind.ts'

/** The kinds of work that can get stuck, each with the query of its module. */
export const stuckWorkKinds: Readonly<Record<StuckWorkKind, StuckWorkKindDefinition>> = {
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
    list: listByTime(listDeadDeliveries),
    actions: { retry: inTransaction(redeliverNow), cancel: inTransaction(giveUpDelivery) },
  },
  job: {
    min_age_ms: hour_ms,
    clock: 'organization',
    list: listByTime(listUnsettledJobs),
    actions: { retry: inTransaction(runJobNow), cancel: inTransaction(failJobByOperator) },
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
    actions: { retry: onFiles(cleanUploadNow) },
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
