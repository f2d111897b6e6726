import { catalogSearchStreamOperation } from '@swath/contract/operations/catalog.ts'
import { ndjsonResponse } from '../../../engine/operation-response.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import type { ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { yieldEvery } from '../../../platform/event-loop.ts'
import { readRatesOfCaller, type NegotiatedRates } from '../../contracts/rates.ts'
import { requireImageryHost } from '../hosts.ts'
import { toCatalogFeature, toHostSearch, scenes_per_yield, searchImageryHost, type CatalogFilters } from '../search.ts'

const batch_size = 100

export const streamCatalogSearch = defineHandler(catalogSearchStreamOperation, async (call, input) => {
  const names = input.source_ids ?? (input.host_name ? [input.host_name] : null)
  const hosts = names
    ? names.map((name) => requireImageryHost(call.integrations, name))
    : [...call.integrations.hosts.values()]
  const matchingHosts = hosts.filter((host) => hasDataType(host, input.data_types ?? null))
  // Validate before the first line is sent; after that an error can only abort the stream.
  const searches = matchingHosts.map((host) => ({ host, search: toHostSearch(host, input) }))
  const rates = await readRatesOfCaller(call)
  return ndjsonResponse(streamScenes(call, input, searches, { rates, limit: input.limit ?? Number.POSITIVE_INFINITY }))
})

const hasDataType = (host: ImageryHost, types: readonly string[] | null): boolean =>
  types === null || host.collections.some((collection) => types.includes(collection.data_type))

type HostSearchRequest = { readonly host: ImageryHost; readonly search: ReturnType<typeof toHostSearch> }

/** Scenes of each host in turn, in batches, until the limit is reached or the caller disconnects. */
async function* streamScenes(
  call: Call,
  filters: CatalogFilters,
  searches: readonly HostSearchRequest[],
  { rates, limit }: { readonly rates: NegotiatedRates; readonly limit: number },
) {
  let sent_count = 0
  const yieldToEventLoop = yieldEvery(scenes_per_yield)
  for (const { host, search } of searches) {
    for (let after: { datetime: string; id: string } | undefined; sent_count < limit;) {
      const scenes = await searchImageryHost(
        host,
        { ...search, limit: batch_size, ...(after ? { after } : {}) },
        call.signal,
      )
      for (const scene of scenes.slice(0, limit - sent_count)) {
        sent_count++
        await yieldToEventLoop(1)
        yield toCatalogFeature({ host, scene, filters, baseUrl: call.baseUrl, rates })
      }
      const last = scenes.at(-1)
      if (scenes.length < batch_size || !last) break
      after = { datetime: last.datetime, id: last.id }
    }
  }
}
