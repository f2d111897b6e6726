import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../../engine/call.ts'
import { square } from '../../../../test/geometries.ts'
import { deliverItem, openTestServices } from '../../../../test/test-services.ts'
import { unfilteredSearch } from './search.ts'
import { createSingleProjectSearchScope, type SearchProjectScope } from './store.scope.ts'
import { listFoundFeatureRows } from './store.search.ts'
import type { ItemSearch } from './store.search-conditions.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let owner: Call
let projects: SearchProjectScope
const nameOf = new Map<string, string>()

const day = (at: number): Date => new Date(Date.UTC(2024, 0, at))

/** Names with the day of their datetime, and the days of their interval. */
const scenes: readonly [name: string, own: number | null, from: number | null, to: number | null][] = [
  ['second', 2, null, null],
  // A mosaic, dated in the middle of its interval.
  ['mosaic', 15, 1, 30],
  ['tenth', 10, null, null],
  // Has no datetime: sorted by its start.
  ['season', null, 5, 25],
  ['twentieth', 20, null, null],
  // Dated after its interval, like products dated by their processing time.
  ['late', 28, 3, 4],
  ['same', 12, 12, 13],
]

before(async () => {
  app = await openTestServices()
  const tenant = await app.createOrganization()
  owner = tenant.owner
  projects = createSingleProjectSearchScope(tenant.project)
  for (const [name, own, from, to] of scenes) {
    const { item_id } = await deliverItem(owner, tenant.project, {
      name,
      geometry: square(10, 50, 1),
      datetime: own === null ? null : day(own),
      start_datetime: from === null ? null : day(from),
      end_datetime: to === null ? null : day(to),
    })
    nameOf.set(item_id, name)
  }
})
after(() => app.close())

const order = ['late', 'twentieth', 'mosaic', 'same', 'tenth', 'season', 'second']

async function namesOf(more: Partial<ItemSearch>): Promise<{ names: string[]; next: ItemSearch['after'] }> {
  const search: ItemSearch = {
    ...unfilteredSearch,
    projects,
    now: owner.clock.now(),
    sort: [{ property: 'datetime', direction: 'desc' }],
    limit: 100,
    offset: 0,
    after: null,
    ...more,
  }
  const { features, next } = await listFoundFeatureRows(owner.db, owner.organization, search)
  return { names: features.map(({ id }) => nameOf.get(id) ?? id), next }
}

test('sortby=datetime sorts by the datetime of an item, not by the start of its interval', async () => {
  assert.deepEqual((await namesOf({})).names, order)
  const ascending = await namesOf({ sort: [{ property: 'datetime', direction: 'asc' }] })
  assert.deepEqual(ascending.names, order.toReversed())
})

test('sortby=datetime works across pages and with conditions that materialize first', async () => {
  const seen: string[] = []
  for (let at: ItemSearch['after'] = null; ;) {
    const { names, next } = await namesOf({ limit: 2, after: at })
    seen.push(...names)
    if (next === null) break
    at = next
  }
  assert.deepEqual(seen, order)
  assert.deepEqual((await namesOf({ limit: 2, offset: 2 })).names, order.slice(2, 4))
  assert.deepEqual((await namesOf({ boxes: [[10, 50, 11, 51]] })).names, order)
  const spans = await namesOf({ from: day(14), to: day(21) })
  assert.deepEqual(spans.names, ['twentieth', 'mosaic', 'season'])
})
