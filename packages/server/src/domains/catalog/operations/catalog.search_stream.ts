import { catalogSearchStreamOperation } from '@swath/contract/operations/catalog.ts'
import { ndjsonResponse } from '../../../engine/operation-response.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import type { HostScene, HostSearch, ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { yieldEvery } from '../../../platform/event-loop.ts'
import { readRatesOfCaller, type NegotiatedRates } from '../../contracts/rates.ts'
import { loadCollections, requireImageryHost, waitForHost } from '../hosts.ts'
import { toCatalogFeature, toHostSearch, scenes_per_yield, searchImageryHost, type CatalogFilters } from '../search.ts'

const batch_size = 100

export const streamCatalogSearch = defineHandler(catalogSearchStreamOperation, async (call, input) => {
  const names = input.source_ids ?? (input.host_name ? [input.host_name] : null)
  const hosts = names
    ? names.map((name) => requireImageryHost(call.integrations, name))
    : await listAvailableHosts(call)
  if (names) for (const host of hosts) await loadCollections(host, call.signal)
  const matchingHosts = hosts.filter((host) => hasDataType(host, input.data_types ?? null))
  // Validate before the first line is sent; after that an error can only abort the stream.
  const searches = matchingHosts.map((host) => ({ host, search: toHostSearch(host, input) }))
  const rates = await readRatesOfCaller(call)
  const limit = input.limit ?? Number.POSITIVE_INFINITY
  return ndjsonResponse(streamScenes(call, input, searches, { rates, limit, isRequired: names !== null }))
})

/** Without named hosts, those whose collections are unknown and that do not respond are left out. */
async function listAvailableHosts(call: Call): Promise<ImageryHost[]> {
  const hosts = [...call.integrations.hosts.values()]
  const isKnown = await Promise.all(
    hosts.map((host) =>
      waitForHost(call.signal, (signal) => loadCollections(host, signal)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return hosts.filter((_, index) => isKnown[index])
}

const hasDataType = (host: ImageryHost, types: readonly string[] | null): boolean =>
  types === null || host.collections.some((collection) => types.includes(collection.data_type))

interface HostSearchRequest {
  readonly host: ImageryHost
  readonly search: ReturnType<typeof toHostSearch>
}

interface StreamOptions {
  readonly rates: NegotiatedRates
  readonly limit: number
  /** True if the failure of one host ends the stream; otherwise its scenes are missing. */
  readonly isRequired: boolean
}

interface FirstPage {
  readonly request: HostSearchRequest
  /** Null if the host failed. */
  readonly scenes: readonly HostScene[] | null
}

/** Scenes host by host, beginning with the first that responds, until the limit is reached or the caller disconnects. */
async function* streamScenes(
  call: Call,
  filters: CatalogFilters,
  searches: readonly HostSearchRequest[],
  { rates, limit, isRequired }: StreamOptions,
) {
  let sent_count = 0
  const yieldToEventLoop = yieldEvery(scenes_per_yield)
  const nextPage = async (request: HostSearchRequest, after?: HostSearch['after']): Promise<FirstPage> => {
    const search = { ...request.search, limit: batch_size, ...(after ? { after } : {}) }
    const scenes = searchImageryHost(request.host, search, call.signal)
    return { request, scenes: await (isRequired ? scenes : scenes.catch(() => null)) }
  }
  for await (const first of inOrderOfArrival(searches.map((request) => nextPage(request)))) {
    for (let page = first; page.scenes !== null && sent_count < limit;) {
      const { request, scenes } = page
      for (const scene of (scenes ?? []).slice(0, limit - sent_count)) {
        sent_count++
        await yieldToEventLoop(1)
        yield toCatalogFeature({ host: request.host, scene, filters, baseUrl: call.baseUrl, rates })
      }
      const last = scenes?.at(-1)
      if (!last || (scenes?.length ?? 0) < batch_size) break
      page = await nextPage(request, { datetime: last.datetime, id: last.id })
    }
    if (sent_count >= limit) return
  }
}

/** The results in the order in which they arrive; those that are there already in the order of the list. */
async function* inOrderOfArrival<T>(results: readonly Promise<T>[]): AsyncGenerator<T> {
  const waiting = new Map(results.map((result, index) => [index, result.then((value) => ({ index, value }))]))
  // A failure that nobody waits for any more is not an unhandled one.
  for (const result of waiting.values()) result.catch(() => undefined)
  while (waiting.size > 0) {
    const { index, value } = await Promise.race(waiting.values())
    waiting.delete(index)
    yield value
  }
}
