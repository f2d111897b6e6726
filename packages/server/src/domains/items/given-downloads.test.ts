import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rememberGiven } from './given-downloads.ts'

const download = {
  url: 'https://x.test/a',
  expires_in_seconds: 900,
  asset_id: 'a',
  size_bytes: 1,
  media_type: 'image/tiff',
}
const at = (seconds: number): Date => new Date(Date.UTC(2024, 0, 1) + seconds * 1000)

test('an address is given again until five minutes of it are left', () => {
  const given = rememberGiven()
  assert.equal(given.find('a', at(0)), null)
  given.note('a', download, at(0))
  assert.deepEqual(given.find('a', at(0)), download)
  assert.deepEqual(given.find('a', at(599.5)), { ...download, expires_in_seconds: 300 })
  assert.equal(given.find('b', at(1)), null)
  assert.equal(given.find('a', at(601)), null)
  assert.equal(given.find('a', at(0)), null, 'it is forgotten then')
})

test('so many addresses are remembered and no more', () => {
  const given = rememberGiven(2)
  for (const name of ['a', 'b', 'a', 'c']) given.note(name, download, at(0))
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => given.find(name, at(1)) !== null),
    [true, false, true],
  )
})
