import type { Feature } from 'geojson'

/** The content of a report, without its layout. Texts may be in any script. */
export interface ReportDocument {
  readonly title: string
  readonly subtitle: string
  /** Details of the report, as label and value. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly charts: readonly ReportChart[]
  readonly map: ReportMap | null
  readonly table: ReportTable
  /** Shown at the foot of each page. */
  readonly footer: string
}

export interface ReportChart {
  readonly title: string
  /** Columns over time, or bars beside names with the largest first. */
  readonly kind: 'columns' | 'bars'
  /** The unit of the values, such as `credits`. */
  readonly unit: string
  readonly values: readonly { readonly label: string; readonly value: number }[]
}

export interface ReportMap {
  readonly title: string
  /** The text of the legend for the footprints. */
  readonly legend: string
  /** Drawn in the order of the list. */
  readonly features: readonly ReportMapFeature[]
  /** The number of features that were left out. */
  readonly omitted: number
}

export interface ReportMapFeature {
  readonly geometry: Feature['geometry']
  /** The area that the report is about, or something that lies in it. */
  readonly role: 'area' | 'footprint'
  readonly label: string | null
}

export interface ReportColumn {
  readonly title: string
  /** Share of the width that is left by columns with `fits`. */
  readonly weight: number
  /** True makes the column as wide as its widest text, which is never cut: a number or a date. */
  readonly fits?: boolean
  readonly align?: 'right'
}

export interface ReportTable {
  readonly title: string
  readonly columns: readonly ReportColumn[]
  readonly rows: readonly (readonly string[])[]
  /** The number of rows that were left out. */
  readonly omitted: number
}

/** Every text of a document. */
export const listReportTexts = ({ map, table, charts, ...document }: ReportDocument): string[] => [
  document.title,
  document.subtitle,
  document.footer,
  ...document.facts.flat(),
  ...charts.flatMap(({ title, unit, values }) => [title, unit, ...values.map(({ label }) => label)]),
  ...(map ? [map.title, map.legend, ...map.features.map(({ label }) => label ?? '')] : []),
  table.title,
  ...table.columns.map(({ title }) => title),
  ...table.rows.flat(),
]
