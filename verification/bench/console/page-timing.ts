import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const max_footprints = 1500

/** A line of `catalog.search_stream`: small squares, spread over the middle latitudes. */
function makeSceneLine(index: number): string {
  const [lon, lat] = [((index * 37) % 300) - 150, ((index * 53) % 120) - 60]
  const ring = [
    [lon, lat],
    [lon + 1, lat],
    [lon + 1, lat + 1],
    [lon, lat + 1],
    [lon, lat],
  ]
  return JSON.stringify({
    type: 'Feature',
    stac_version: '1.0.0',
    id: `scene-${index}`,
    geometry: { type: 'Polygon', coordinates: [ring] },
    bbox: [lon, lat, lon + 1, lat + 1],
    properties: {
      host: 'open',
      datetime: `2026-0${(index % 9) + 1}-11T10:00:00Z`,
      'eo:cloud_cover': index % 100,
      gsd: 10,
    },
    assets: {},
    links: [],
    'service:price': { credits: 0, aud: 0, unit: 'scene' },
  })
}

/** Lets the search answer 1,500 scenes. */
export async function answerManyScenes(page: Page): Promise<void> {
  const lines = Array.from({ length: max_footprints }, (_, index) => makeSceneLine(index))
  await page.route('**/v1/op/catalog.search_stream', (route) =>
    route.fulfill({ status: 200, contentType: 'application/x-ndjson', body: `${lines.join('\n')}\n` }),
  )
}

const observer = fileURLToPath(new URL('./page-observer.js', import.meta.url))

/** Before the page loads: notes long tasks and the first card. */
export const observePage = (page: Page): Promise<unknown> => page.addInitScript({ path: observer })

export const readLongTasks = (page: Page): Promise<readonly number[]> => page.evaluate<number[]>('notes.longTasks')

/** Milliseconds from the first byte of the answer of the search to the first card. */
export const readFirstCard = (page: Page): Promise<number> =>
  page.evaluate<number>(`notes.firstCard - performance.getEntriesByType('resource')
    .findLast(({ name }) => name.endsWith('/catalog.search_stream')).responseStart`)

/** Milliseconds from the navigation to the first complete picture of the base map. */
export const readMapPaint = (page: Page): Promise<number> =>
  page.evaluate<number>(`performance.getEntriesByName('swath:map')[0].startTime`)

export interface ScriptFile {
  readonly name: string
  /** As it was sent. */
  readonly compressed_bytes: number
}

/** The JavaScript that the page has loaded, workers included, the largest first; what page and worker share is loaded once. */
export const readScripts = (page: Page): Promise<readonly ScriptFile[]> =>
  page.evaluate<ScriptFile[]>(String.raw`[...new Map(performance.getEntriesByType('resource')
    .filter(({ name }) => /\.m?js$/.test(new URL(name).pathname))
    .map(({ name, encodedBodySize }) => [new URL(name).pathname.split('/').at(-1), encodedBodySize])).entries()]
    .map(([name, compressed_bytes]) => ({ name, compressed_bytes }))
    .sort((a, b) => b.compressed_bytes - a.compressed_bytes)`)
