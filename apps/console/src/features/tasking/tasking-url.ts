import { areaToUrl, readAreaFromUrl } from '../../area/area-url.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { readUrlText } from '../../api/read-text.ts'

/** The choices of a tasking request, as in the URL. */
export interface TaskingChoices {
  /** The id of a data product. */
  readonly product: string | null
  readonly area: AreaGeometry | null
  /** Days of the acquisition window, such as `2026-07-01`; null: from now, for the usual time. */
  readonly from: string | null
  readonly to: string | null
  readonly sensor: string | null
  /** Per cent. */
  readonly maxCloud: number | null
  /** Degrees. */
  readonly maxOffNadir: number | null
  readonly minSun: number | null
  readonly replan: boolean
  /** The chosen pass. */
  readonly pass: string | null
}

type UrlParameters = Readonly<Record<string, unknown>>

const readDay = (value: unknown): string | null =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null

const readNumber = (value: unknown, min: number, max: number): number | null =>
  typeof value === 'number' && value >= min && value <= max ? value : null

/** Parses the choices in a URL; anything that is not valid is left out. */
export const parseTaskingChoices = (url: UrlParameters): TaskingChoices => ({
  product: readUrlText(url['product']),
  area: readAreaFromUrl(url['area']),
  from: readDay(url['from']),
  to: readDay(url['to']),
  sensor: readUrlText(url['sensor']),
  maxCloud: readNumber(url['cloud'], 0, 100),
  maxOffNadir: readNumber(url['offnadir'], 0, 90),
  minSun: readNumber(url['sun'], 0, 90),
  replan: url['replan'] === true,
  pass: readUrlText(url['pass']),
})

/** The choices as query parameters; unset ones are left out. */
export const toTaskingUrl = (request: TaskingChoices): Record<string, string | number | true> =>
  Object.fromEntries(
    Object.entries({
      product: request.product,
      area: request.area && areaToUrl(request.area),
      from: request.from,
      to: request.to,
      sensor: request.sensor,
      cloud: request.maxCloud,
      offnadir: request.maxOffNadir,
      sun: request.minSun,
      replan: request.replan || null,
      pass: request.pass,
    }).filter((entry): entry is [string, string | number | true] => entry[1] !== null),
  )
