import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cql2SyntaxError } from './cql2-tokens.ts'
import { readFilterText, writeFilterText } from './filter-text.ts'

test('chips become a text, and the text becomes the same chips', () => {
  const filters = {
    from: '2024-05-01',
    to: '2024-06-30',
    cloud: 12.5,
    type: 'clip' as const,
    where: ['gsd < 3', "platform = 'it''s AND more'"],
  }
  const text = writeFilterText({ project: 'p', q: 'words', ...filters })
  assert.deepEqual(readFilterText(text), filters)
})

test('alternatives get parentheses beside other conditions, and stay one condition', () => {
  const text = writeFilterText({ cloud: 20, where: ['gsd < 3 OR gsd > 10'] })
  assert.equal(text, 'eo:cloud_cover <= 20 AND (gsd < 3 OR gsd > 10)')
  assert.deepEqual(readFilterText(text).where, ['(gsd < 3 OR gsd > 10)'])
  assert.deepEqual(readFilterText('gsd < 3 AND gsd > 1 OR gsd > 10').where, ['gsd < 3 AND gsd > 1 OR gsd > 10'])
})

test('the AND of BETWEEN and of parentheses does not part a condition', () => {
  const text = 'gsd BETWEEN 1 AND 3 AND NOT (a = 1 AND b = 2)'
  assert.deepEqual(readFilterText(text).where, ['gsd BETWEEN 1 AND 3', 'NOT (a = 1 AND b = 2)'])
})

test('a second limit of the same kind becomes a condition', () => {
  const { cloud, where } = readFilterText('eo:cloud_cover <= 20 AND "eo:cloud_cover" <= 10')
  assert.equal(cloud, 20)
  assert.deepEqual(where, ['"eo:cloud_cover" <= 10'])
})

test('an empty text takes out all filters, and a wrong one is refused', () => {
  assert.deepEqual(Object.values(readFilterText(' ')).filter(Boolean), [])
  assert.throws(() => readFilterText('gsd <'), Cql2SyntaxError)
})
