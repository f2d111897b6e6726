import type { CatalogFeature } from '@swath/contract/schemas/catalog.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { yieldEvery } from '../../platform/event-loop.ts'
import type { HostScene, HostSearch, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import type { PriceRates } from '../contracts/rates.ts'
import type { ProductTermsByName } from '../rate-cards/product-terms.ts'
import { combineHostFailures, callHostWithinDeadline } from './federated-search.ts'
import { loadHostCollections } from './hosts.ts'
import {
  requireValidFilters,
  scenes_priced_per_yield,
  searchImageryHost,
  toCatalogFeature,
  toHostSearch,
  type CatalogFilters,
} from './search.ts'

export interface SceneStreamFilters extends CatalogFilters {
  readonly data_types?: readonly string[] | null | undefined
}

interface StreamRequest {
  readonly filters: SceneStreamFilters
  /** The terms of data products: withdrawn ones are not searched. */
  readonly products: ProductTermsByName
}

/** A page of scenes of one host. */
interface ScenePage {
  readonly host: ImageryHost
  readonly scenes: readonly HostScene[]
  readonly next: (() => Promise<ScenePage | Problem>) | null
}

const page_size = 100

/**
 * The first pages of hosts in the order in which they arrive; the result is there as soon as the first host has responded.
 * Hosts that fail are left out. If all of them fail, throws as `combineHostFailures` says.
 */
export async function openSceneStream(
  call: Call,
  hosts: readonly ImageryHost[],
  request: StreamRequest,
): Promise<AsyncIterable<ScenePage>> {
  requireValidFilters(request.filters)
  const open = (host: ImageryHost): Promise<ScenePage | Problem> =>
    callWithin(call, hosts, (signal) =>
      openHost(host, request, { signal, readPage: (read) => callWithin(call, hosts, read) }),
    )
  const arrivals = inOrderOfArrival(hosts.map(open))
  const failures: Problem[] = []
  for (;;) {
    const { value, done } = await arrivals.next()
    if (done) break
    if (!(value instanceof Problem)) return withoutFailures(arrivals, value)
    failures.push(value)
  }
  if (failures.length > 0) throw combineHostFailures(failures)
  return withoutFailures(arrivals)
}

type ReadPage = (read: (signal: AbortSignal) => Promise<ScenePage>) => Promise<ScenePage | Problem>

/** One host alone may take the time that any call of it may take. */
const callWithin = (
  { signal }: Call,
  hosts: readonly ImageryHost[],
  read: (signal: AbortSignal) => Promise<ScenePage>,
): Promise<ScenePage | Problem> => (hosts.length > 1 ? callHostWithinDeadline(signal, read) : read(signal))

async function openHost(
  host: ImageryHost,
  { filters, products }: StreamRequest,
  { signal, readPage }: { readonly signal: AbortSignal; readonly readPage: ReadPage },
): Promise<ScenePage> {
  await loadHostCollections(host, signal)
  const types = filters.data_types
  if (types && !host.collections.some(({ data_type }) => types.includes(data_type)))
    return { host, scenes: [], next: null }
  return readScenes(host, { ...toHostSearch(host, filters, products), limit: page_size }, { signal, readPage })
}

async function readScenes(
  host: ImageryHost,
  search: HostSearch,
  { signal, readPage }: { readonly signal: AbortSignal; readonly readPage: ReadPage },
): Promise<ScenePage> {
  const scenes = await searchImageryHost(host, search, signal)
  const last = scenes.at(-1)
  if (!last || scenes.length < page_size) return { host, scenes, next: null }
  const after = { datetime: last.datetime, id: last.id }
  return {
    host,
    scenes,
    next: () => readPage((pageSignal) => readScenes(host, { ...search, after }, { signal: pageSignal, readPage })),
  }
}

/** The scenes as features, host by host, until the limit is reached. */
export async function* streamSceneFeatures(
  call: Call,
  firstPages: AsyncIterable<ScenePage>,
  { filters, rates, limit }: { readonly filters: CatalogFilters; readonly rates: PriceRates; readonly limit: number },
): AsyncGenerator<CatalogFeature> {
  const yieldToEventLoop = yieldEvery(scenes_priced_per_yield)
  let sent_count = 0
  for await (const first of firstPages) {
    for (let page: ScenePage | Problem | null = first; page && !(page instanceof Problem);) {
      const { host, scenes, next }: ScenePage = page
      for (const scene of scenes.slice(0, limit - sent_count)) {
        sent_count++
        await yieldToEventLoop(1)
        yield toCatalogFeature({ host, scene, filters, baseUrl: call.baseUrl, rates })
      }
      if (sent_count >= limit) return
      page = next && (await next())
    }
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

/** The pages without the failures, after one that was taken from them. */
async function* withoutFailures(
  pages: AsyncIterable<ScenePage | Problem>,
  first?: ScenePage,
): AsyncGenerator<ScenePage> {
  if (first) yield first
  for await (const page of pages) if (!(page instanceof Problem)) yield page
}
