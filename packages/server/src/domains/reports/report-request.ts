import { day_ms } from '@swath/geo/time-units.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { min_instant_ms } from '../../engine/input/instant.ts'
import { validationProblem } from '../../engine/problem.ts'
import { listReadableProjectIds, requireProject } from '../projects/access.ts'
import { validateArea } from '../tiles/aoi.ts'
import { chooseReportGranularity, type ReportScope, type ReportViewer } from './report.ts'
import type { ReportType } from './report-types.ts'
import { hasOrganizationPermission } from '../projects/permissions.ts'

/** The subject of a report. */
export interface ReportSubject {
  readonly report_type: ReportType
  readonly project_id: string | null
  readonly area: AreaGeometry | null
  readonly area_name: string | null
}

export interface ReportInterval {
  readonly from: Date
  /** Not included. */
  readonly to: Date
}

export interface ReportSubjectInput {
  readonly report_type: ReportType
  readonly project_id?: string | null | undefined
  readonly area?: unknown
  readonly area_name?: string | null | undefined
}

/** The subject of an input. Throws `validation` for an invalid area, and for one that is missing or not used. */
export function parseReportSubject({ report_type, project_id, area, area_name }: ReportSubjectInput): ReportSubject {
  const needsArea = report_type === 'area_monitoring'
  const isGiven = area !== undefined && area !== null
  if (needsArea && !isGiven)
    throw validationProblem([{ path: 'area', message: 'is required for a report of this type' }])
  if (!needsArea && (isGiven || (area_name ?? null) !== null))
    throw validationProblem([{ path: isGiven ? 'area' : 'area_name', message: 'is only for `area_monitoring`' }])
  return {
    report_type,
    project_id: project_id ?? null,
    area: isGiven ? validateArea(area, 'area') : null,
    area_name: area_name ?? null,
  }
}

const default_days = 30

/** The interval of an input: by default the 30 days before now. Throws `validation` if it is empty. */
export function readReportInterval(
  input: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
  now: Date,
): ReportInterval {
  const to = input.to ? new Date(input.to) : now
  const from = input.from
    ? new Date(input.from)
    : new Date(Math.max(to.getTime() - default_days * day_ms, min_instant_ms))
  if (from >= to) throw validationProblem([{ path: 'from', message: 'must be earlier than `to`' }])
  return { from, to }
}

/**
 * One project, or all that the reader may read now; fees, calls and others without a project are for the billing roles. Throws
 * `not-found` or `not-a-member`.
 */
export async function resolveReportScope(
  reader: ReportViewer,
  { project_id, area }: ReportSubject,
  { from, to }: ReportInterval,
): Promise<ReportScope> {
  const period = chooseReportGranularity(from, to)
  const common = { organization: reader.organization, area, from, to, period }
  if (project_id !== null)
    return { ...common, projects: [(await requireProject(reader, project_id, 'read')).id], withoutProject: false }
  return {
    ...common,
    projects: await listReadableProjectIds(reader),
    withoutProject: await hasOrganizationPermission(reader, 'bill'),
  }
}
