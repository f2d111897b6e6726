import { limits } from '@swath/contract/limits.ts'
import type { Report, ReportSchedule } from '@swath/contract/schemas/reporting/report.ts'
import type { Area } from '@swath/contract/schemas/geojson.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { StoredReport } from './store.reports.ts'
import type { ReportScheduleRow } from './store.schedules.ts'

/** The name of a file as a download has it: the title, as far as a file name may have it. */
export const formatReportFileName = (name: string, format: string): string =>
  `${
    name
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 80) || 'report'
  }.${format}`

/** The representation of a report, with signed URLs of its files. */
export async function toReport(call: Pick<Call, 'blobs' | 'baseUrl'>, row: StoredReport): Promise<Report> {
  const files: Report['files'] = []
  for (const { blob_path, ...file } of row.files ?? []) {
    const signed = await call.blobs.signGet(blob_path, {
      expires_s: limits.signed_url_seconds,
      file_name: formatReportFileName(row.name, file.format),
      media_type: file.media_type,
      base: call.baseUrl,
    })
    files.push({ ...file, url: signed.url, expires_at: signed.expires_at.toISOString() })
  }
  return {
    id: row.id,
    name: row.name,
    report_type: row.report_type,
    project_id: row.project_id,
    area_name: row.area_name,
    from: row.from_at.toISOString(),
    to: row.to_at.toISOString(),
    schedule_id: row.schedule_id,
    files,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}

/** The representation of a schedule. */
export const toReportSchedule = (row: ReportScheduleRow): ReportSchedule => ({
  id: row.id,
  name: row.name,
  report_type: row.report_type,
  formats: [...row.formats],
  project_id: row.project_id,
  area: row.area as Area | null,
  area_name: row.area_name,
  frequency: row.frequency,
  next_run_at: row.next_run_at?.toISOString() ?? null,
  last_run_at: row.last_run_at?.toISOString() ?? null,
  ended_reason: row.ended_reason,
  created_at: row.created_at.toISOString(),
})

/** The user whose reports a caller sees; an API key has those of its issuer. Throws `user-required` for services. */
export function requireReportUser({ principal }: Pick<Call, 'principal'>): string {
  if (principal.user !== null) return principal.user
  throw new Problem('user-required', 'Reports belong to a user.')
}

/** The id of a report as a problem says it. */
export const createReportNotFoundProblem = (id: string): Problem =>
  new Problem('not-found', `No report of yours has the id "${id}".`)
