import { describeDelegationStop } from '../../engine/describe-stop.ts'
import { Problem } from '../../engine/problem.ts'
import { createTaskActor, type TaskContext } from '../../engine/task.ts'
import { emitEvent } from '../events/emit.ts'
import { findMemberPrincipal } from '../identity/user-principal.ts'
import { updateEmailAttachments } from '../notifications/store.emails.ts'
import { formatReportFileName } from './report-response.ts'
import { computeReportInterval, computeNextReportRun } from './report-times.ts'
import { saveReport, type CompleteReport } from './save-report.ts'
import {
  markReportScheduleEnded,
  findDueReportSchedule,
  updateReportScheduleRun,
  type ReportScheduleRow,
} from './store.schedules.ts'

/**
 * Generates the report of a due schedule for its user, with what the user may read now, and announces it with an event, which
 * writes the e-mail. A schedule whose user has left or cannot read the project any more ends.
 */
export async function runDueReportSchedule(context: TaskContext, organization: string, id: string): Promise<void> {
  const db = context.database.forOrganization(organization)
  const clock = context.clock.forOrganization(organization)
  const { processServices, signal } = context
  const schedule = await findDueReportSchedule(db, organization, id, clock.now())
  if (!schedule?.next_run_at || schedule.next_run_at > clock.now()) return
  const principal = await findMemberPrincipal(context.database.unscoped, organization, schedule.user_id)
  const { stop_reason } = schedule
  if (!principal || stop_reason !== null)
    return markReportScheduleEnded(db, organization, id, describeDelegationStop(stop_reason ?? 'user_left'))
  // After an outage only the last complete period is reported on, once.
  const due = clock.now()
  const interval = computeReportInterval(due, schedule.frequency)
  const { user_id: user, name, formats } = schedule
  const report = { user, name, subject: schedule, interval, formats, schedule_id: id }
  try {
    await saveReport(
      { ...createTaskActor(context, organization), processServices, signal, principal, db, background: true },
      context.blobs,
      report,
      async (tx, record) => {
        const next = computeNextReportRun(due, schedule.frequency)
        // Another process has sent this report: what was made here is not visible, and the sweep deletes it.
        if (!(await updateReportScheduleRun(tx, organization, schedule, { now: due, next }))) throw new AlreadySent()
        await emitEvent(tx, createTaskActor(context, organization), toEvent(record, schedule))
        await updateEmailAttachments(tx, organization, { type: 'report', id: record.id }, toAttachments(record))
      },
    )
  } catch (error) {
    if (error instanceof AlreadySent) return
    if (!(error instanceof Problem)) throw error
    await markReportScheduleEnded(db, organization, id, error.message)
  }
}

class AlreadySent extends Error {}

const toEvent = (record: CompleteReport, { id: schedule_id, user_id }: ReportScheduleRow) => ({
  kind: 'report.delivered' as const,
  entity_type: 'report',
  entity_id: record.id,
  data: {
    schedule_id,
    name: record.name,
    report_type: record.report_type,
    project_id: record.project_id,
    user_id,
    from: record.from_at.toISOString(),
    to: record.to_at.toISOString(),
  },
})

const toAttachments = ({ name, files }: CompleteReport) =>
  files.map(({ blob_path, format, media_type, size_bytes }) => ({
    blob_path,
    file_name: formatReportFileName(name, format),
    media_type,
    size_bytes,
  }))
