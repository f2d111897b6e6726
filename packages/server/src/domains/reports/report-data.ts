import { validationProblem } from '../../engine/problem.ts'
import { findOrganization } from '../organizations/store.ts'
import { measureJoinedCover, type JoinedCover } from './measure-cover.ts'
import { sumReportColumns, type ReportRow, type ReportScope, type ReportViewer } from './report.ts'
import { resolveReportScope, type ReportInterval, type ReportSubject } from './report-request.ts'
import { reportTypes, type ReportFormat } from './report-types.ts'
import { listProjectAndCollectionNames, type ReportGeometry } from './store.places.ts'

/** Features of a report; further ones are left out of the map and the GeoJSON file. */
export const max_report_places = 5000

/** Everything that the files of a report show. */
export interface ReportData {
  readonly subject: ReportSubject
  readonly scope: ReportScope
  readonly organization_name: string
  readonly rows: readonly ReportRow[]
  readonly totals: Readonly<Record<string, number>>
  readonly places: readonly ReportGeometry[]
  /** What the places cover of the area of a report on one. */
  readonly cover: JoinedCover | null
  /** Names of projects and collections by id. */
  readonly names: ReadonlyMap<string, string>
  readonly generated_at: Date
}

/** Throws `validation` if a format does not exist for this type of report. */
export function requireReportFormats({ report_type }: ReportSubject, formats: readonly ReportFormat[]): void {
  if (reportTypes[report_type].listPlaces !== null || !formats.includes('geojson')) return
  throw validationProblem([{ path: 'formats', message: `a report on ${report_type} has no GeoJSON: it has no places` }])
}

/** Reads what a report is about, as far as the reader may see it. Throws `not-found` or `not-a-member` for the project. */
export async function collectReportData(
  reader: ReportViewer,
  subject: ReportSubject,
  interval: ReportInterval,
): Promise<ReportData> {
  const { db, organization } = reader
  const scope = await resolveReportScope(reader, subject, interval)
  const { list, summed, listPlaces } = reportTypes[subject.report_type]
  const rows = await list(reader, scope)
  const places = listPlaces ? await listPlaces(db, scope, max_report_places, rows) : []
  const ids = rows.flatMap(({ project_id, collection_id }) => [project_id, collection_id])
  const namedIds = [...new Set([...ids, subject.project_id].filter((id) => typeof id === 'string'))]
  return {
    subject,
    scope,
    organization_name: (await findOrganization(db, organization))?.name ?? '',
    rows,
    totals: sumReportColumns(rows, summed),
    places,
    cover: scope.area && (await measureJoinedCover(reader, scope.area, places)),
    names: await listProjectAndCollectionNames(db, organization, namedIds),
    generated_at: reader.clock.now(),
  }
}
