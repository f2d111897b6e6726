import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { csvRow } from '../../engine/csv.ts'
import { buildReportDocument } from './build-document.ts'
import { renderReportPdf } from './pdf/render-report.ts'
import type { ReportRow } from './report.ts'
import type { ReportData } from './report-data.ts'
import type { ReportFormat } from './report-types.ts'

interface FileFormat {
  readonly media_type: string
  readonly make: (data: ReportData, name: string) => Promise<Uint8Array>
}

/** The media type and the writer of each format. */
export const reportFormats: Readonly<Record<ReportFormat, FileFormat>> = {
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
export function toCsv({ rows, names }: ReportData): string {
  const named = rows.map((row) => withNames(row, names))
  const columns = Object.keys(named[0] ?? {})
  const lines = named.map((row) => csvRow(columns.map((column) => row[column] ?? null)))
  return byteOrderMark + [csvRow(columns), ...lines].join('')
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
export function toGeoJson({ places, scope, subject }: ReportData): FeatureCollection {
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
