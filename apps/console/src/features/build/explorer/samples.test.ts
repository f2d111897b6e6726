import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages, toPython, writeSample } from './samples.ts'

test('values of JSON are written as Python', () => {
  assert.equal(
    toPython({ a: true, b: null, c: [1, 'x"'] }),
    '{\n    "a": True,\n    "b": None,\n    "c": [1, "x\\""],\n}',
  )
  assert.equal(toPython({}), '{}')
})

test('every sample names the address and the variable of the token', () => {
  for (const language of languages) {
    const sample = writeSample(language, 'https://example.com', 'items.get', { item_id: 'x' })
    assert.ok(sample.includes('https://example.com/v1/op/items.get'))
    assert.ok(sample.includes('SWATH_TOKEN'))
  }
})
