import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLookItems, isUndelivered, listLookScenes, lookSearch } from './first-look.ts'

type Scenes = Parameters<typeof listLookScenes>[0]
type Features = Parameters<typeof chooseLookItems>[0]

const scene = (id: string, credits: number | null) => ({ id, geometry: { type: 'Polygon' }, 'service:price': credits === null ? null : { credits } }) // prettier-ignore
const feature = (scene_id: string) => ({ id: scene_id, properties: { 'service:scene_id': scene_id, 'service:item_id': `item of ${scene_id}` } }) // prettier-ignore

test('only free scenes are offered, and one date alone is no change', () => {
  const scenes = [scene('a', 0), scene('b', 0), scene('c', 100), scene('d', null)] as unknown as Scenes
  assert.deepEqual(listLookScenes(scenes)?.map(({ id }) => id), ['a', 'b']) // prettier-ignore
  assert.equal(listLookScenes(scenes.slice(1)), null)
})

test('the items are there when each scene has one, oldest first and each once', () => {
  const [oldest, , , newest] = lookSearch.ids as [string, string, string, string]
  const features = [feature(newest), feature(oldest), feature(newest)] as unknown as Features
  assert.equal(chooseLookItems(features, 3), null)
  assert.deepEqual(chooseLookItems(features, 2), [`item of ${oldest}`, `item of ${newest}`])
})

test('an order that ended without a scene has failed; one that goes on has not', () => {
  const order = (status: string, deliveredAt: string | null) =>
    isUndelivered({ status, captures: [{ deliveredAt }] } as unknown as Parameters<typeof isUndelivered>[0])
  assert.deepEqual([order('PLACED', null), order('FULFILLED', '2026-01-01T00:00:00Z')], [false, false])
  assert.deepEqual(
    [order('FULFILLED', null), order('CANCELED', null), order('FAILED_PERMANENTLY', null)],
    [true, true, true],
  )
})
