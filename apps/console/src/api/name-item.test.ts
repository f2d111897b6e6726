import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameItem } from './name-item.ts'

test('an item is called by its own title, else by the place of its scene', () => {
  const scene = { title: 'pucallpa-2020', 'service:scene_id': 'pucallpa-2020', place: 'Pucallpa, Peru' }
  assert.equal(nameItem(scene), 'Pucallpa, Peru')
  assert.equal(nameItem({ ...scene, title: 'The river' }), 'The river')
  assert.equal(nameItem({ ...scene, place: '' }), 'pucallpa-2020')
  assert.equal(nameItem({}), null)
})
