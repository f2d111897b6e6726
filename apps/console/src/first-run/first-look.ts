import type { Order, OutputOf } from '@swath/client/operations.ts'

type Scene = OutputOf<'catalog.search'>['features'][number]

/** A free host of a new installation, and its series of one place that changes: a town that grows at a river that wanders. */
export const lookSearch = {
  host_name: 'open',
  ids: ['pucallpa-1985', 'pucallpa-1995', 'pucallpa-2010', 'pucallpa-2020'],
}

/** Fewer dates show no change. */
const min_dates = 2

/** The free scenes with an area that are left to be ordered; null if there are too few to see a change. */
export function listLookScenes(scenes: readonly Scene[]): readonly Scene[] | null {
  const free = scenes.filter((scene) => scene['service:price']?.credits === 0 && scene.geometry !== null)
  return free.length >= min_dates ? free : null
}

export const toLookCaptures = (scenes: readonly Scene[]) =>
  scenes.map(({ id, geometry }) => ({ id, host: lookSearch.host_name, geometry: { ...geometry } }))

/** Items that were delivered of the scenes, by any order of the organization. */
export const ownedFilter = {
  op: 'and',
  args: [
    { op: '=', args: [{ property: 'service:host' }, lookSearch.host_name] },
    { op: 'in', args: [{ property: 'service:scene_id' }, lookSearch.ids] },
  ],
}

/** One item for each scene; null until there is one for each of so many. */
export function chooseLookItems(features: OutputOf<'stac.search'>['features'], count: number): string[] | null {
  const byScene = new Map(
    features.map(({ id, properties }) => [
      String(properties['service:scene_id']),
      String(properties['service:item_id'] ?? id),
    ]),
  )
  // In the order of the search, the oldest first.
  return byScene.size >= count ? lookSearch.ids.flatMap((id) => byScene.get(id) ?? []) : null
}

/** True if the order has ended without some of its scenes. */
export const isUndelivered = ({ status, captures }: Pick<Order, 'status' | 'captures'>): boolean =>
  status === 'FAILED_PERMANENTLY' ||
  status === 'CANCELED' ||
  (status === 'FULFILLED' && captures.some(({ deliveredAt }) => deliveredAt === null))

/**
 * The viewer as a time-lapse in the most natural colours of the bands, plants green and water dark; all dates in the same range,
 * so that only what changes on the ground changes on the screen.
 */
export const lookView = (items: readonly string[]): Record<string, string> => ({
  items: items.join(','),
  compare: 'lapse',
  tab: 'compare',
  bands: 'swir16,nir,red',
  range: '0,255',
})
