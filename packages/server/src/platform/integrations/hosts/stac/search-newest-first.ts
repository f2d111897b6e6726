import { day_ms } from '@swath/geo/time-units.ts'
import type { HostScene, HostSearch } from '../../imagery-host.ts'
import { compareNewestFirst, createPropertyPredicate } from '../search-scenes.ts'
import { readStacItemPages, TooManyStacPages } from './read-pages.ts'
import { createStacSearchRequest, type StacCapabilities, type TimeWindow } from './search-request.ts'
import { HostApiError } from '../request-host-json.ts'
import type { StacClient } from './stac-client.ts'

export interface StacSearchContext {
  readonly client: StacClient
  readonly capabilities: StacCapabilities
  readonly collections: readonly string[] | null
  readonly max_page_size: number
  /** The time of the process in milliseconds, from which a search without an end goes backwards. */
  readonly now_ms: number
}

/** A sorted search reads on while scenes share the time of the last one, but not without end. */
const max_sorted_pages = 40
/** Pages of one time window of an API that does not sort. */
const max_window_pages = 10
const max_windows = 40
const first_window_ms = 30 * day_ms
const min_window_ms = 1000
/** The launch of the first Landsat: there are no older scenes. */
const earliest_ms = Date.parse('1972-07-23T00:00:00Z')

/** The scenes of an API that match, newest first, after `search.after`. */
export async function searchNewestFirst(
  context: StacSearchContext,
  search: HostSearch,
  signal?: AbortSignal,
): Promise<readonly HostScene[]> {
  const { capabilities } = context
  try {
    return await (capabilities.canSort || search.ids
      ? searchSorted(context, search, signal)
      : searchByWindows(context, search, signal))
  } catch (error) {
    const fallback = error instanceof HostApiError ? fallbackOf(capabilities, error.status) : null
    if (!fallback) throw error
    return searchNewestFirst({ ...context, capabilities: fallback }, search, signal)
  }
}

const unknown_method_statuses: ReadonlySet<number> = new Set([404, 405, 415, 501])
const unknown_parameter_statuses: ReadonlySet<number> = new Set([400, 422])

/** Some APIs announce more than they do: without POST, or without sorting, the search is tried again. */
function fallbackOf(capabilities: StacCapabilities, status: number): StacCapabilities | null {
  if (capabilities.canPost && unknown_method_statuses.has(status)) return { ...capabilities, canPost: false }
  return capabilities.canSort && unknown_parameter_statuses.has(status) ? { ...capabilities, canSort: false } : null
}

/** The time after which nothing is wanted: scenes may have fractions of the millisecond that a key has. */
function endOf({ to, after }: HostSearch): number | null {
  const ends = [to?.getTime(), after ? Date.parse(after.datetime) + 1 : undefined].filter((end) => end !== undefined)
  return ends.length === 0 ? null : Math.min(...ends)
}

function toFilterOfScenes(search: HostSearch): (scene: HostScene) => boolean {
  const matches = createPropertyPredicate(search.query)
  const { after } = search
  return (scene) => matches(scene) && (!after || compareNewestFirst(after, scene) < 0)
}

async function searchSorted(
  context: StacSearchContext,
  search: HostSearch,
  signal?: AbortSignal,
): Promise<HostScene[]> {
  const { client, capabilities, collections, max_page_size } = context
  const { from, limit, ids } = search
  const window = { from_ms: from?.getTime() ?? null, to_ms: endOf(search) }
  const page_size = Math.min(max_page_size, Math.max(limit, 10))
  const request = createStacSearchRequest(capabilities, { search, collections, window, page_size })
  const isWanted = toFilterOfScenes(search)
  const found: HostScene[] = []
  try {
    for await (const items of readStacItemPages(client, request, { max_pages: max_sorted_pages }, signal)) {
      const scenes = items.map(({ scene }) => scene)
      found.push(...scenes.filter(isWanted))
      // Scenes of one time come in an order of the API, so all of them are read before the list is cut.
      const [last, lastWanted] = [scenes.at(-1), found[limit - 1]]
      if (!ids && last && lastWanted && Date.parse(last.datetime) < Date.parse(lastWanted.datetime)) break
    }
  } catch (error) {
    if (!(error instanceof TooManyStacPages && found.length >= limit)) throw error
  }
  return found.toSorted(compareNewestFirst).slice(0, limit)
}

/**
 * Searches an API that returns scenes in any order by one time window after the other, backwards, each read whole. A
 * window with too many scenes is halved, after one with too few the next is twice as long.
 */
async function searchByWindows(
  context: StacSearchContext,
  search: HostSearch,
  signal?: AbortSignal,
): Promise<HostScene[]> {
  const found = new Map<string, HostScene>()
  const begin_ms = search.from?.getTime() ?? earliest_ms
  let end_ms = endOf(search)
  let length_ms = first_window_ms
  for (let count = 0; count < max_windows; count += 1) {
    const start_ms = Math.max(begin_ms, (end_ms ?? context.now_ms) - length_ms)
    const window = { from_ms: start_ms <= begin_ms && !search.from ? null : start_ms, to_ms: end_ms }
    const scenes = await readWindow(context, search, window, signal)
    if (scenes === null && length_ms > min_window_ms) {
      length_ms /= 2
      continue
    }
    if (scenes === null) throw new TooManyStacPages('the catalogue has too many scenes of one second')
    // A scene with an interval is in every window that it touches.
    for (const scene of scenes) found.set(`${scene.collection}\u0000${scene.id}`, scene)
    const complete = [...found.values()].filter(({ datetime }) => Date.parse(datetime) >= start_ms)
    if (complete.length >= search.limit || start_ms <= begin_ms) break
    end_ms = start_ms
    length_ms *= 2
  }
  return [...found.values()].toSorted(compareNewestFirst).slice(0, search.limit)
}

/** All scenes of a window; null if they are too many. */
async function readWindow(
  { client, capabilities, collections, max_page_size }: StacSearchContext,
  search: HostSearch,
  window: TimeWindow,
  signal?: AbortSignal,
): Promise<HostScene[] | null> {
  const request = createStacSearchRequest(capabilities, { search, collections, window, page_size: max_page_size })
  const isWanted = toFilterOfScenes(search)
  const scenes: HostScene[] = []
  try {
    for await (const items of readStacItemPages(client, request, { max_pages: max_window_pages }, signal))
      scenes.push(...items.map(({ scene }) => scene).filter(isWanted))
    return scenes
  } catch (error) {
    if (error instanceof TooManyStacPages) return null
    throw error
  }
}
