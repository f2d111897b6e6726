import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { monotonic_ms } from '../../platform/clock.ts'
import type { HostScene, HostSearch, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import type { ProductTermsByName } from '../rate-cards/product-terms.ts'
import { findHostAvailability, loadHostCollections, requireImageryHost } from './hosts.ts'
import { requireValidFilters, searchImageryHost, toHostSearch, type CatalogFilters } from './search.ts'

/** The hosts to search: those named, and only those with one of the data types. */
export interface SearchedHostFilters {
  readonly source_ids?: readonly string[] | null
  readonly data_types?: readonly string[] | null
}

export interface FederatedScene {
  readonly host: ImageryHost
  readonly scene: HostScene
}

/** The last scene of a page: those after it are older, or as old and of a later host, or of its host with a later id. */
export interface FederatedSearchPosition {
  readonly datetime: string
  readonly host: string
  readonly id: string
}

export interface HostSearchReport {
  readonly source_id: string
  readonly title: string
  readonly error: string | null
  readonly elapsed_ms: number
}

export interface FederatedSearchResult {
  /** Newest first; at most as many as were requested. */
  readonly scenes: readonly FederatedScene[]
  readonly reports: readonly HostSearchReport[]
}

/** A host that takes longer is left out of the response. */
const host_deadline_ms = 5000

/** The hosts that match the filters, by name. Throws `not-found` for a name that no host has. */
export async function listSearchedHosts(
  { integrations, signal }: Pick<Call, 'integrations' | 'signal'>,
  { source_ids, data_types }: SearchedHostFilters,
): Promise<readonly ImageryHost[]> {
  const hosts = source_ids
    ? [...new Set(source_ids)].map((name) => requireImageryHost(integrations, name))
    : [...integrations.hosts.values()]
  const sorted = hosts.toSorted((left, right) => compareText(left.name, right.name))
  if (!data_types) return sorted
  const isSearched = await Promise.all(
    sorted.map(async (host) => {
      const { status } = await findHostAvailability(host, signal)
      // One that does not respond is searched, so that the response says so.
      return status === 'unavailable' || host.collections.some(({ data_type }) => data_types.includes(data_type))
    }),
  )
  return sorted.filter((_, index) => isSearched[index])
}

/**
 * Searches hosts at the same time and merges their scenes, newest first. A host that fails, or does not respond in time, is
 * reported and does not fail the others. If every host fails, throws as `combineHostFailures` says.
 */
export async function searchScenesAtHosts(
  hosts: readonly ImageryHost[],
  { signal, ...request }: PageRequest,
): Promise<FederatedSearchResult> {
  requireValidFilters(request.filters)
  const answers = await Promise.all(
    hosts.map(async (host) => {
      const begin_ms = monotonic_ms()
      const outcome = await callHostWithinDeadline(signal, (limited) =>
        readHostPage(host, { ...request, signal: limited }),
      )
      return { host, outcome, elapsed_ms: Math.round(monotonic_ms() - begin_ms) }
    }),
  )
  const failures = answers.flatMap(({ outcome }) => (outcome instanceof Problem ? [outcome] : []))
  if (failures.length > 0 && failures.length === answers.length) throw combineHostFailures(failures)
  const scenes = answers.flatMap(({ host, outcome }) =>
    outcome instanceof Problem ? [] : outcome.map((scene) => ({ host, scene })),
  )
  return {
    scenes: scenes.toSorted(compareFederated).slice(0, request.limit),
    reports: answers.map(({ host, outcome, elapsed_ms }) => ({
      source_id: host.name,
      title: host.title,
      error: outcome instanceof Problem ? outcome.message : null,
      elapsed_ms,
    })),
  }
}

/** The problem of a search that fails at every host: the caller's own mistake before an outage, else that of the first host. */
export const combineHostFailures = (failures: readonly Problem[]): Problem =>
  failures.find(({ problem }) => problem !== 'upstream') ?? failures[0]!

interface PageRequest {
  readonly filters: CatalogFilters
  /** The terms of data products: withdrawn ones are not searched. */
  readonly products: ProductTermsByName
  readonly limit: number
  readonly after: FederatedSearchPosition | null
  readonly signal: AbortSignal
}

/** The response of one of several hosts before its deadline, or its problem. Throws only if the caller aborts. */
export async function callHostWithinDeadline<T>(
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T | Problem> {
  try {
    return await read(AbortSignal.any([signal, AbortSignal.timeout(host_deadline_ms)]))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Problem) return error
    throw error
  }
}

/** Up to `limit` scenes of a host that come after the position in the order of all hosts. */
async function readHostPage(
  host: ImageryHost,
  { filters, products, limit, after, signal }: PageRequest,
): Promise<readonly HostScene[]> {
  await loadHostCollections(host, signal)
  const search = limitTime(toHostSearch(host, filters, products), host, after)
  const scenes: HostScene[] = []
  let last = after?.host === host.name ? { datetime: after.datetime, id: after.id } : null
  while (scenes.length < limit) {
    const page = await searchImageryHost(host, { ...search, limit, ...(last ? { after: last } : {}) }, signal)
    // A scene that covers an interval can begin before the requested time and count as later.
    scenes.push(...page.filter((scene) => !after || isAfter(host, scene, after)))
    const end = page.at(-1)
    if (page.length < limit || !end) break
    last = { datetime: end.datetime, id: end.id }
  }
  return scenes.slice(0, limit)
}

/**
 * Bounds the search of a host by the position of another one: no scene after it is later. The position has whole
 * milliseconds, and a scene of the same one may have a fraction more.
 */
function limitTime<Search extends Pick<HostSearch, 'to'>>(
  search: Search,
  host: ImageryHost,
  after: FederatedSearchPosition | null,
): Search {
  if (!after || after.host === host.name) return search
  const end = new Date(Date.parse(after.datetime) + 1)
  return { ...search, to: search.to && search.to < end ? search.to : end }
}

const timeOf = ({ datetime }: Pick<HostScene, 'datetime'>): number => Date.parse(datetime)
const compareText = (left: string, right: string): number => (left < right ? -1 : Number(left > right))

function isAfter(host: ImageryHost, scene: HostScene, after: FederatedSearchPosition): boolean {
  const difference_ms = timeOf(scene) - timeOf(after)
  if (difference_ms !== 0) return difference_ms < 0
  // The host itself continues after the scene of the position.
  return compareText(host.name, after.host) >= 0
}

/** Newest first, then by host; scenes of one host stay in its order. */
const compareFederated = (left: FederatedScene, right: FederatedScene): number =>
  timeOf(right.scene) - timeOf(left.scene) || compareText(left.host.name, right.host.name)
