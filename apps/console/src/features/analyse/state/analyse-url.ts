import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { areaToUrl, readAreaFromUrl } from '../../../area/area-url.ts'
import { readUrlText } from '../../../api/read-text.ts'

/** The choices of a computation, as in the URL. */
export interface AnalyseChoices {
  /** The ids of the chosen items, in their order. */
  readonly items: readonly string[]
  readonly area: AreaGeometry | null
  /** The project of the result; null: that of the first item. */
  readonly project: string | null
  /** The inputs as they were entered, by the name of their field. */
  readonly values: Readonly<Record<string, string>>
}

/** As many as a process takes. */
export const max_sources = 50

type UrlParameters = Readonly<Record<string, unknown>>

function readValues(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const texts = Object.entries(value).map(([name, text]) => [name, readUrlText(text)] as const)
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => entry[1] !== null))
}

/** Parses the choices in a URL; anything that is not valid is left out. */
export const parseAnalyseChoices = (url: UrlParameters): AnalyseChoices => ({
  items: [...new Set((readUrlText(url['items']) ?? '').split(',').filter((id) => id !== ''))].slice(0, max_sources),
  area: readAreaFromUrl(url['area']),
  project: readUrlText(url['project']),
  values: readValues(url['set']),
})

/** The choices as query parameters; unset ones are left out. */
export function toAnalyseUrl({ items, area, project, values }: AnalyseChoices): Record<string, unknown> {
  const entered = Object.entries(values).filter(([, text]) => text !== '')
  return Object.fromEntries(
    Object.entries({
      items: items.join(',') || null,
      area: area && areaToUrl(area),
      project,
      set: entered.length > 0 ? Object.fromEntries(entered) : null,
    }).filter(([, value]) => value !== null),
  )
}
