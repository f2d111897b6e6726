import { catalogSearchStream } from '@swath/contract/operations/catalog.ts'
import { lines } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import type { ImageryHost } from '../../platform/outside/imagery-host.ts'
import { yieldEvery } from '../../platform/event-loop.ts'
import { ratesOfCaller, type Rates } from '../billing/commitments/rates.ts'
import { requireHost } from './hosts.ts'
import { featureOf, hostSearch, scenes_at_once, searchHost, type CatalogFilters } from './search.ts'

const batch = 100

export const streamCatalog = handler(catalogSearchStream, async (call, input) => {
  const names = input.source_ids ?? (input.host_name ? [input.host_name] : null)
  const hosts = names ? names.map((name) => requireHost(call.outside, name)) : [...call.outside.hosts.values()]
  const serving = hosts.filter((host) => hasTypes(host, input.data_types ?? null))
  // Validate before the first line is sent; after that an error can only abort the stream.
  const searches = serving.map((host) => ({ host, search: hostSearch(host, input) }))
  const rates = await ratesOfCaller(call)
  return lines(scenesOf(call, input, searches, { rates, limit: input.limit ?? Number.POSITIVE_INFINITY }))
})

const hasTypes = (host: ImageryHost, types: readonly string[] | null): boolean =>
  types === null || host.collections.some((collection) => types.includes(collection.data_type))

type Search = { readonly host: ImageryHost; readonly search: ReturnType<typeof hostSearch> }

/** Scenes of each host in turn, in batches, until the limit is reached or the caller disconnects. */
async function* scenesOf(
  call: Call,
  filters: CatalogFilters,
  searches: readonly Search[],
  { rates, limit }: { readonly rates: Rates; readonly limit: number },
) {
  let sent = 0
  const yielding = yieldEvery(scenes_at_once)
  for (const { host, search } of searches) {
    for (let after: { datetime: string; id: string } | undefined; sent < limit;) {
      const scenes = await searchHost(host, { ...search, limit: batch, ...(after ? { after } : {}) }, call.signal)
      for (const scene of scenes.slice(0, limit - sent)) {
        sent++
        await yielding(1)
        yield featureOf(host, scene, filters, call.baseUrl, rates)
      }
      const last = scenes.at(-1)
      if (scenes.length < batch || !last) break
      after = { datetime: last.datetime, id: last.id }
    }
  }
}
