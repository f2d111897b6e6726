import { createHash } from 'node:crypto'
import { day_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import type { Actor } from '../../engine/actor.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { shiftTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { getOrganizationBlobPrefix, recordStoredBytes } from '../usage/stored-bytes.ts'
import { type ReportData, collectReportData } from './report-data.ts'
import { reportLayoutsByType } from './report-layouts.ts'
import type { ReportInterval, ReportSubject } from './report-request.ts'
import type { ReportFormat } from './report-types.ts'
import { type StoredReport, type StoredReportFile, insertReport, updateReportFiles } from './store.reports.ts'
import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { formatCsvRow } from '../../engine/csv.ts'
import { buildReportDocument } from './build-document.ts'
import { renderReportPdf } from './pdf/render-report.ts'
import type { ReportRow, ReportViewer } from './report.ts'

interface FileFormat {
  readonly media_type: string
  readonly make: (data: ReportData, name: string) => Promise<Uint8Array>
}

/** The media type and the writer of each format. */
const reportFormats: Readonly<Record<ReportFormat, FileFormat>> = {
  pdf: {
    media_type: 'application/pdf',
    make: (data, name) => renderReportPdf(buildReportDocument(data, name), data.generated_at),
  },
  csv: { media_type: 'text/csv; charset=utf-8', make: async (data) => encode(toCsv(data)) },
  geojson: { media_type: 'application/geo+json', make: async (data) => encode(JSON.stringify(toGeoJson(data))) },
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A spreadsheet reads a file as UTF-8 only if it begins with this mark. */
const byteOrderMark = '\ufeff'

/** The rows with the names of their projects and collections, one column for each field. */
function toCsv({ rows, names }: ReportData): string {
  const named = rows.map((row) => withNames(row, names))
  const columns = Object.keys(named[0] ?? {})
  const lines = named.map((row) => formatCsvRow(columns.map((column) => row[column] ?? null)))
  return byteOrderMark + [formatCsvRow(columns), ...lines].join('')
}

const withNames = (row: ReportRow, names: ReadonlyMap<string, string>): ReportRow =>
  Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) => {
      const noun = /^(project|collection)_id$/.exec(column)?.[1]
      return noun
        ? [
            [column, value],
            [noun, names.get(String(value)) ?? null],
          ]
        : [[column, value]]
    }),
  )

/** The places of a report with their properties; the monitored area comes first. */
function toGeoJson({ places, scope, subject }: ReportData): FeatureCollection {
  const feature = (geometry: Geometry, properties: Feature['properties']): Feature => ({
    type: 'Feature',
    geometry,
    properties,
  })
  const area =
    scope.area === null ? [] : [feature(scope.area as unknown as Geometry, { role: 'area', name: subject.area_name })]
  return {
    type: 'FeatureCollection',
    features: [...area, ...places.map(({ geometry, properties }) => feature(geometry, { ...properties }))],
  }
}

export interface NewReport {
  readonly user: string
  /** Null: the title of its type. */
  readonly name: string | null
  readonly subject: ReportSubject
  readonly interval: ReportInterval
  readonly formats: readonly ReportFormat[]
  readonly schedule_id: string | null
}

/** The folder of the files of a report in the blob store. */
export const getReportFolder = (organization: string, id: string): string =>
  `${getOrganizationBlobPrefix(organization)}/reports/${id}`

/**
 * Generates a report and stores its files outside of any transaction. `complete` runs in the transaction that makes the
 * report visible. The row is written first, so that the sweep finds the files of a process that was killed.
 */
export async function saveReport(
  reader: ReportViewer & Actor,
  blobs: BlobStore,
  report: NewReport,
  complete: (tx: Tx, record: CompleteReport) => Promise<void> = async () => undefined,
): Promise<CompleteReport> {
  const { db, organization, principal, clock } = reader
  const { subject, interval, user, schedule_id } = report
  const data = await collectReportData(reader, subject, interval)
  const created_at = clock.now()
  const row: StoredReport = {
    id: newId(),
    user_id: user,
    name: report.name ?? reportLayoutsByType[subject.report_type].title,
    report_type: subject.report_type,
    project_id: subject.project_id,
    area_name: subject.area_name,
    from_at: interval.from,
    to_at: interval.to,
    schedule_id,
    files: null,
    created_by: principal.id,
    created_at,
    expires_at: shiftTime(created_at, limits.report_days * day_ms),
  }
  await insertReport(db, organization, row)
  const files: StoredReportFile[] = []
  for (const format of report.formats) {
    const { media_type, make } = reportFormats[format]
    const bytes = await make(data, row.name)
    const blob_path = `${getReportFolder(organization, row.id)}/report.${format}`
    await blobs.putBytes(blob_path, bytes, media_type)
    const checksum_sha256 = createHash('sha256').update(bytes).digest('hex')
    files.push({ format, blob_path, media_type, size_bytes: bytes.length, checksum_sha256 })
  }
  const record = { ...row, files }
  await db.transaction(async (tx) => {
    await updateReportFiles(tx, organization, row.id, files)
    await recordStoredBytes(tx, reader, files.map(toStoredBytes))
    await complete(tx, record)
  })
  return record
}

/** A file in the storage journal of its organization. */
const toStoredBytes = ({ blob_path, size_bytes }: StoredReportFile) =>
  ({ asset_id: null, object_path: blob_path, bytes_delta: size_bytes, cause: 'delivered' }) as const

/** A report whose files are stored. */
export type CompleteReport = StoredReport & { readonly files: readonly StoredReportFile[] }
