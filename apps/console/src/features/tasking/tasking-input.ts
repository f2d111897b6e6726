import { day_ms, minute_ms } from '@swath/geo/time-units.ts'
import type { InputOf } from '@swath/client/operations.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { TaskingChoices } from './tasking-url.ts'
import type { TaskableProduct } from './tasking-products.ts'

/** The window that is proposed. */
const usual_days = 14

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export interface TaskingWindow {
  /** RFC 3339. */
  readonly from: string
  readonly to: string
}

/** The days of the window as the fields show them. */
export const windowDays = (request: TaskingChoices, product: TaskableProduct, now_ms: number): TaskingWindow => {
  const from = request.from ?? toDay(now_ms)
  return { from, to: request.to ?? toDay(Date.parse(from) + Math.min(usual_days, product.max_window_days) * day_ms) }
}

/** The window as it is sent: not before now, and to the end of its last day as far as the product takes it. */
export function toWindow(request: TaskingChoices, product: TaskableProduct, now_ms: number): TaskingWindow {
  const days = windowDays(request, product, now_ms)
  // To the minute, so that the same request is the same query.
  const from_ms = Math.max(Date.parse(days.from), Math.floor(now_ms / minute_ms) * minute_ms)
  const to_ms = Math.min(Date.parse(days.to) + day_ms, from_ms + product.max_window_days * day_ms)
  return { from: new Date(from_ms).toISOString(), to: new Date(to_ms).toISOString() }
}

const toParams = (request: TaskingChoices, { from, to }: TaskingWindow): Record<string, unknown> => ({
  acquisitionStart: from,
  acquisitionEnd: to,
  ...(request.sensor === null ? {} : { sensor: request.sensor }),
  ...(request.maxCloud === null ? {} : { maxCloudCover: request.maxCloud }),
  ...(request.maxOffNadir === null ? {} : { maxOffNadirAngle: request.maxOffNadir }),
  ...(request.minSun === null ? {} : { minSunElevation: request.minSun }),
})

type Groups = NonNullable<InputOf<'orders.tasking.place'>['groups']>
type InputGeometry = Groups[number]['geometry']
const asGeometry = (area: AreaGeometry): InputGeometry => area as unknown as InputGeometry

/** Asks for the passes over an area. */
export const toOpportunitiesInput = (
  request: TaskingChoices,
  product: TaskableProduct,
  area: AreaGeometry,
  window: TaskingWindow,
): InputOf<'orders.tasking.opportunities_list'> => ({
  dataProduct: product.id,
  featureCollection: {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: asGeometry(area) }],
  } as unknown as NonNullable<InputOf<'orders.tasking.opportunities_list'>['featureCollection']>,
  params: toParams(request, window),
})

/** The order of an area; with `max_credits` it never costs more than the button says. */
export const toPlaceInput = (
  request: TaskingChoices,
  product: TaskableProduct,
  area: AreaGeometry,
  { window, max_credits }: { readonly window: TaskingWindow; readonly max_credits: number | null },
): InputOf<'orders.tasking.place'> & { readonly groups: Groups } => ({
  dataProduct: product.id,
  displayName: product.title,
  groups: [
    {
      geometry: asGeometry(area),
      params: {
        ...toParams(request, window),
        ...(request.pass === null ? {} : { opportunityId: request.pass }),
        replan: request.replan,
      },
    },
  ],
  ...(max_credits === null ? {} : { max_credits }),
})
