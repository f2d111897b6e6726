import type { Client } from '@swath/client'
import {
  collectionList,
  landingPage,
  stacItem,
  startTestServer,
  type TestServer,
} from '../../../packages/server/test/hosts/stac-server.ts'
import type { Figure } from '../figure.ts'
import { median } from '../median.ts'

/** Times that public STAC APIs take for a page; the last one is the slowest. */
const delays_ms = [60, 120, 180, 250]
const scenes_per_host = 100
const rounds = 25
const warm_rounds = 5

export interface DelayedHost {
  readonly name: string
  readonly server: TestServer
}

/** STAC APIs on this machine that answer a search after a fixed time. */
export const startHosts = (): Promise<DelayedHost[]> =>
  Promise.all(
    delays_ms.map(async (delay_ms, at) => {
      const features = Array.from({ length: scenes_per_host }, (_, index) =>
        stacItem(`host-${at}-${index}`, new Date(Date.UTC(2025, 0, 1, index, at)).toISOString()),
      ).toReversed()
      const server = await startTestServer(({ path }, url) => {
        if (path === '/') return { body: landingPage(url) }
        if (path === '/collections') return { body: collectionList }
        return { delay_ms, body: { type: 'FeatureCollection', features, links: [] } }
      })
      return { name: `delayed-${at}`, server }
    }),
  )

export const hostRows = (hosts: readonly DelayedHost[]): object[] =>
  hosts.map(({ name, server }) => ({
    kind: 'stac',
    name,
    title: name,
    license: 'CC0-1.0',
    license_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    attribution: 'Test data',
    url: server.url,
    allow_private: true,
  }))

/** Alternates, so that both meet the same machine. */
export async function measureFederation(client: Client): Promise<Figure> {
  const source_ids = delays_ms.map((_, at) => `delayed-${at}`)
  const slowest = source_ids.at(-1)!
  const time = async (operation: string, input: object): Promise<number> => {
    const start = performance.now()
    const { features } = await client.call<{ features: unknown[] }>(operation, { limit: scenes_per_host, ...input })
    if (features.length !== scenes_per_host) throw new Error(`${operation} found ${features.length} scenes`)
    return performance.now() - start
  }
  const together: number[] = []
  const alone: number[] = []
  for (let round = -warm_rounds; round < rounds; round++) {
    const times = [
      await time('catalog.federated_search', { source_ids }),
      await time('catalog.search', { host_name: slowest }),
    ] as const
    if (round < 0) continue
    together.push(times[0])
    alone.push(times[1])
  }
  console.log(
    `search over ${delays_ms.length} hosts ${median(together).toFixed(0)} ms, the slowest alone ${median(alone).toFixed(0)} ms`,
  )
  return {
    name: 'search over four hosts / the slowest alone',
    value: median(together) / median(alone),
    must: 1.1,
    atMost: true,
  }
}
