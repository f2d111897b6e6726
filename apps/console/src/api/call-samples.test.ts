import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages, toPython, writeSample } from './call-samples.ts'

test('values of JSON are written as Python', () => {
  assert.equal(
    toPython({ a: true, b: null, c: [1, 'x"'] }),
    '{\n    "a": True,\n    "b": None,\n    "c": [1, "x\\""],\n}',
  )
  assert.equal(toPython({}), '{}')
})

test('every sample names the URL and the variable of the key, or has the key in it', () => {
  for (const language of languages) {
    const sample = writeSample(language, 'https://example.com', 'items.get', { item_id: 'x' }, null)
    assert.ok(sample.includes('https://example.com/v1/op/items.get'))
    assert.ok(sample.includes('SWATH_KEY'))
    assert.ok(writeSample(language, 'https://example.com', 'items.get', {}, 'sk_1').includes('sk_1'))
  }
})
