import { defineTask } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { runDueReportSchedule } from './run-schedule.ts'

export const runReportScheduleTask = defineTask(
  backgroundTaskTypes.runReportSchedule,
  { limit: 3, delay_s: 60, backoff: true, expire_s: 600 },
  (context, { organization_id, schedule_id }) => runDueReportSchedule(context, organization_id, schedule_id),
)
