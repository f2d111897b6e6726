import { reportsGenerateOperation } from '@swath/contract/operations/reports.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { hasBillingRole } from '../../billing/billing-roles.ts'
import { listReadableProjectIds, requireProject } from '../../projects/access.ts'
import { choosePeriod, sumColumns } from '../report.ts'
import { reportTypes, type ReportType } from '../report-types.ts'

const default_days = 30
const day_ms = 86_400_000

export const generateReport = defineHandler(reportsGenerateOperation, async (call, input) => {
  const report_type: ReportType = input.report_type
  const generated_at = call.clock.now()
  const to = input.to ? new Date(input.to) : generated_at
  const from = input.from ? new Date(input.from) : new Date(to.getTime() - default_days * day_ms)
  if (from >= to) throw new Problem('validation', '`from` must be earlier than `to`.')
  const scope = { organization: call.organization, ...(await findScope(call, input.project_id ?? null)), from, to }
  const { list, summed } = reportTypes[report_type]
  const rows = await list(call.db, { ...scope, period: choosePeriod(from, to) })
  return {
    report_type,
    generated_at: generated_at.toISOString(),
    from: from.toISOString(),
    to: to.toISOString(),
    rows,
    totals: sumColumns(rows, summed),
  }
})

/** One project, or all that the caller may read; fees, calls and others without a project are for the billing roles. */
async function findScope(call: Call, project_id: string | null) {
  if (project_id !== null)
    return { projects: [(await requireProject(call, project_id, 'read')).id], withoutProject: false }
  return { projects: await listReadableProjectIds(call), withoutProject: await hasBillingRole(call) }
}
