import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildAssetBlobName } from './write-results.ts'

test('keys of one result have a blob each, whatever they share', () => {
  const long = 'analytic '.repeat(22)
  const keys = ['analytic_sr', 'analytic-sr', 'ANALYTIC SR', 'analytic+sr', `${long}1`, `${long}2`, '\u96ea', '\u96e8']
  const names = keys.map((key) => buildAssetBlobName(key, false))
  assert.equal(new Set(names).size, keys.length)
  for (const name of names) assert.match(name, /^asset-[a-z0-9-]{1,60}-[0-9a-f]{16}$/)
  assert.match(names[0]!, /^asset-analytic-sr-/)
  assert.equal(buildAssetBlobName('analytic_sr', true), 'data')
})
