import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute_ms } from '@swath/geo/time-units.ts'
import type { SavedSearch } from '@swath/contract/schemas/catalog.ts'
import { limits } from '@swath/contract/limits.ts'
import { runForEach } from '../../../../test/citus/statements.ts'
import { assertRejected } from '../../../../test/call-operation.ts'
import { createSearchFixture, type SearchFixture } from '../../../../test/standing-orders.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

const createFixture = () => createSearchFixture(services, `host-${newId()}`)

const matchedScenes = async (fixture: SearchFixture): Promise<unknown[]> =>
  (await fixture.events('saved_search.matched')).map(({ data }) => data['scene_ids'])

const readSearch = async ({ invoke }: SearchFixture): Promise<SavedSearch> =>
  (await invoke<{ searches: SavedSearch[] }>('catalog.search.list', {})).searches[0]!

test('a new scene is announced once; scenes that were there before are not', async () => {
  const fixture = await createFixture()
  fixture.publish('old')
  const id = await fixture.saveSearch()
  await fixture.sweep()
  assert.deepEqual(await matchedScenes(fixture), [])
  fixture.publish('new')
  await fixture.sweep()
  services.clock.advance(20 * minute_ms)
  await fixture.sweep()
  const events = await fixture.events('saved_search.matched')
  assert.deepEqual(events, [
    {
      entity_id: id,
      project_id: fixture.project,
      data: { name: 'Field', source_id: fixture.host.name, scene_ids: ['new'] },
    },
  ])
  const search = await readSearch(fixture)
  assert.ok(search.last_matched_at !== null)
  assert.equal(search.sources[0]?.error, null)
})

test('a scene that is acquired between the save and the first run is new', async () => {
  const fixture = await createFixture()
  await fixture.saveSearch()
  fixture.publish('early')
  await fixture.sweep()
  assert.deepEqual(await matchedScenes(fixture), [['early']])
})

test('a scene that is published days after its acquisition is found', async () => {
  const fixture = await createFixture()
  await fixture.saveSearch()
  await fixture.sweep()
  services.clock.advance(20 * minute_ms)
  fixture.host.publish('late', new Date(fixture.now().getTime() - 5 * 24 * 60 * minute_ms))
  await fixture.sweep()
  assert.deepEqual(await matchedScenes(fixture), [['late']])
})

test('a run that was killed before it was recorded announces nothing twice', async () => {
  const fixture = await createFixture()
  const search_id = await fixture.saveSearch()
  await fixture.sweep()
  fixture.publish('new')
  const data = { organization_id: fixture.organization, search_id }
  await fixture.runner.runTask(backgroundTaskTypes.runSavedSearch, data)
  // As if the process had ended after the scenes were written: the run is due again, and its sources too.
  await services.database.unscoped.query(sql`
    update saved_searches set next_run_at = created_at where id = ${search_id}`)
  await services.database.unscoped.query(sql`
    update saved_search_sources set next_run_at = watched_since where search_id = ${search_id}`)
  await fixture.runner.runTask(backgroundTaskTypes.runSavedSearch, data)
  assert.deepEqual(await matchedScenes(fixture), [['new']])
})

test('two runs at the same time announce a scene once', async () => {
  const fixture = await createFixture()
  const search_id = await fixture.saveSearch()
  await fixture.sweep()
  fixture.publish('new')
  const data = { organization_id: fixture.organization, search_id }
  await Promise.all([1, 2].map(() => fixture.runner.runTask(backgroundTaskTypes.runSavedSearch, data)))
  assert.deepEqual(await matchedScenes(fixture), [['new']])
})

test('a failing host is tried again after a longer time each time, and is reported', async () => {
  const fixture = await createFixture()
  await fixture.saveSearch()
  fixture.host.setFailing(true)
  const delays: number[] = []
  for (let run = 0; run < 3; run++) {
    await fixture.sweep()
    const [source] = (await readSearch(fixture)).sources
    assert.match(source!.error ?? '', /did not respond/)
    const delay_ms = new Date(source!.next_run_at).getTime() - fixture.now().getTime()
    delays.push(delay_ms / minute_ms)
    services.clock.advance(delay_ms - minute_ms)
    const count = fixture.host.countSearches()
    await fixture.sweep()
    assert.equal(fixture.host.countSearches(), count)
    services.clock.advance(15 * minute_ms)
  }
  assert.deepEqual(delays, [30, 60, 120])
  fixture.host.setFailing(false)
  fixture.publish('new')
  services.clock.advance(24 * 60 * minute_ms)
  await fixture.sweep()
  assert.deepEqual(await matchedScenes(fixture), [['new']])
  assert.equal((await readSearch(fixture)).sources[0]?.error, null)
})

test('a run announces a bounded number of scenes, and the next runs the rest', async () => {
  const fixture = await createFixture()
  await fixture.saveSearch()
  await fixture.sweep()
  services.clock.advance(20 * minute_ms)
  for (let index = 0; index < limits.max_new_scenes_per_run + 5; index++)
    fixture.host.publish(`scene-${index}`, fixture.now())
  await fixture.sweep()
  services.clock.advance(20 * minute_ms)
  await fixture.sweep()
  const batches = (await matchedScenes(fixture)) as string[][]
  assert.deepEqual(
    batches.map(({ length }) => length),
    [limits.max_new_scenes_per_run, 5],
  )
  assert.equal(new Set(batches.flat()).size, limits.max_new_scenes_per_run + 5)
})

test('a deleted search, and one that does not notify, finds nothing', async () => {
  const fixture = await createFixture()
  const id = await fixture.saveSearch()
  await fixture.saveSearch({ name: 'Silent', notify: false })
  await fixture.sweep()
  await fixture.invoke('catalog.search.delete', { search_id: id })
  fixture.publish('new')
  await fixture.sweep()
  assert.deepEqual(await matchedScenes(fixture), [])
  await assertRejected(fixture.invoke('catalog.search.delete', { search_id: id }), 'not-found')
})

test('the search of an archived project rests', async () => {
  const fixture = await createFixture()
  await fixture.saveSearch()
  await fixture.sweep()
  await services.database.unscoped.query(sql`update projects set is_archived = true where id = ${fixture.project}`)
  fixture.publish('new')
  await fixture.sweep()
  assert.deepEqual(await matchedScenes(fixture), [])
  assert.match((await readSearch(fixture)).sources[0]?.error ?? '', /archived/)
})

test('names are unique in a project, filters are validated, and the number of searches is bounded', async () => {
  const fixture = await createFixture()
  await fixture.saveSearch()
  await assertRejected(fixture.saveSearch({ name: 'FIELD' }), 'name-taken')
  await assertRejected(fixture.saveSearch({ name: 'B', source_ids: ['nowhere'] }), 'not-found')
  const filters = { bbox: [0, 0, 1, 1], intersects: { type: 'Point', coordinates: [0, 0] } }
  await assertRejected(fixture.saveSearch({ name: 'C', filters }), 'conflicting-parameters')
  await assert.rejects(fixture.saveSearch({ name: 'D', filters: { datetime: 'yesterday' } }), {
    problem: 'validation',
    message: /^filters\.datetime: /,
  })
  await runForEach(
    services.database.unscoped,
    [2, limits.max_saved_searches],
    (number) => sql`
      insert into saved_searches (organization_id, id, project_id, name, filters, notify, created_by, created_at)
      select organization_id, ${newId()}::uuid, project_id, ${`copy ${number}`}, filters, false, created_by, created_at
      from saved_searches where organization_id = ${fixture.organization} and notify limit 1`,
  )
  await assertRejected(fixture.saveSearch({ name: 'E' }), 'invalid-state')
})

test("another organization's search does not exist, and those outside the project may not read it", async () => {
  const [ours, theirs] = [await createFixture(), await createFixture()]
  const search_id = await ours.saveSearch()
  await assertRejected(theirs.invoke('catalog.search.delete', { search_id }), 'not-found')
  assert.deepEqual((await theirs.invoke<{ searches: object[] }>('catalog.search.list', {})).searches, [])
  const member = await ours.createMember('member')
  await assertRejected(ours.invoke('catalog.search.delete', { search_id }, member), 'not-a-member')
  const { searches } = await ours.invoke<{ searches: object[] }>('catalog.search.list', {}, member)
  assert.deepEqual(searches, [])
  await ours.sweep()
})
