import { day_ms } from '@swath/geo/time-units.ts'
import type { HostScene, HostSearch, ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import { shiftTime } from '../../../platform/clock.ts'
import type { ProductTermsByName } from '../../rate-cards/product-terms.ts'
import { loadCollections } from '../hosts.ts'
import { searchImageryHost, toHostSearch, type CatalogFilters } from '../search.ts'

/** Scenes that are published later than this after their acquisition are not announced. */
export const watched_period_ms = 30 * day_ms

const page_size = 200
/** Pages of one run: the newest thousand scenes of a source. */
const max_pages = 5

/** The scenes of a host that match the filters and were acquired in the watched period, newest first. */
export async function findRecentScenes(
  host: ImageryHost,
  filters: CatalogFilters,
  {
    products,
    now,
    signal,
  }: { readonly products: ProductTermsByName; readonly now: OrganizationTime; readonly signal: AbortSignal },
): Promise<readonly HostScene[]> {
  await loadCollections(host, signal)
  const search = toHostSearch(host, filters, products)
  const begin = shiftTime(now, -watched_period_ms)
  const from = search.from && search.from > begin ? search.from : begin
  if (search.to && search.to < from) return []
  const scenes = new Map<string, HostScene>()
  let after: HostSearch['after']
  for (let page = 0; page < max_pages; page++) {
    const found = await searchImageryHost(
      host,
      { ...search, from, limit: page_size, ...(after ? { after } : {}) },
      signal,
    )
    for (const scene of found) scenes.set(scene.id, scene)
    const last = found.at(-1)
    if (!last || found.length < page_size) break
    after = { datetime: last.datetime, id: last.id }
  }
  return [...scenes.values()]
}
