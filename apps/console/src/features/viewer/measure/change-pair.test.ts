import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ViewItem } from '../state/view-item.ts'
import { defaultPair, isOpenPair } from './change-pair.ts'

const item = (id: string, datetime: string | null): ViewItem => ({ id, name: id, datetime, bbox: null, collection: null, attribution: null, assets: [], thumbnail: null }) // prettier-ignore
const [june, july, august] = ['2024-06-01', '2024-07-01', '2024-08-01'].map((date) => item(date, `${date}T10:00:00Z`))
const items = [august!, june!, july!]

test('the shown item is compared with the one before it, the earliest with the next', () => {
  assert.deepEqual(defaultPair(items, august!), { before: july!.id, after: august!.id })
  assert.deepEqual(defaultPair(items, july!), { before: june!.id, after: july!.id })
  assert.deepEqual(defaultPair(items, june!), { before: june!.id, after: july!.id })
  assert.equal(defaultPair([june!], june!), null)
})

test('a pair ends when one of its items is taken out of the viewer', () => {
  const pair = { before: june!.id, after: july!.id }
  assert.equal(isOpenPair(pair, items), true)
  assert.equal(isOpenPair(pair, [june!, august!]), false)
})
