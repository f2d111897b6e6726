import { defineSweep, createTaskActor, type DueWork, type TaskContext } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { listOrganizationIdsForTimes } from '../organizations/all-organizations.ts'
import { deleteReport } from './delete-report.ts'
import { dueReportRows, listExpiredReports } from './store.reports.ts'
import { dueReportScheduleRows, listDueReportSchedules } from './store.schedules.ts'

const batch_size = 100

/** Enqueues the run of each due schedule, and deletes reports that have expired. */
export const dueReportsWork: DueWork = {
  name: 'reports',
  dueRows: (organization) => [dueReportScheduleRows(organization), dueReportRows(organization)],
  runDue: async (context, times) => {
    for (const organization of await listOrganizationIdsForTimes(context.database.unscoped, times)) {
      context.signal.throwIfAborted()
      await enqueueSchedules(context, organization)
      await deleteExpired(context, organization)
    }
  },
}

export const sweepReportsTask = defineSweep(
  backgroundTaskTypes.sweepReports,
  { limit: 2, delay_s: 60, backoff: false, expire_s: 600 },
  dueReportsWork,
)

async function enqueueSchedules({ database, clock, queue }: TaskContext, organization_id: string): Promise<void> {
  const db = database.forOrganization(organization_id)
  const now = clock.forOrganization(organization_id).now()
  for (const schedule_id of await listDueReportSchedules(db, organization_id, now)) {
    const data = { organization_id, schedule_id }
    await db.transaction((tx) =>
      queue.enqueue(tx, backgroundTaskTypes.runReportSchedule, data, { singleton_key: schedule_id }),
    )
  }
}

async function deleteExpired(context: TaskContext, organization: string): Promise<void> {
  const { database, clock, blobs, signal } = context
  const db = database.forOrganization(organization)
  for (;;) {
    signal.throwIfAborted()
    const now = clock.forOrganization(organization).now()
    const ids = await listExpiredReports(db, organization, now, batch_size)
    for (const id of ids) await deleteReport(createTaskActor(context, organization), { db, blobs }, id)
    if (ids.length < batch_size) return
  }
}
