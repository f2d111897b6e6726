import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStatementPreparationPolicy } from './preparation-policy.ts'

const texts = Array.from({ length: 3000 }, (_, index) => `select ${index}`)

test('a repeated text is prepared from its fourth occurrence, up to a maximum number of texts', () => {
  const policy = createStatementPreparationPolicy()
  const isPrepared = (text: string): boolean => policy(text, 'when-frequent') !== false
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => isPrepared('select $1')),
    [false, false, false, true, true],
  )
  const firstTexts = texts.slice(0, 300)
  for (let times = 0; times < 4; times++) for (const text of firstTexts) isPrepared(text)
  assert.equal(firstTexts.filter(isPrepared).length, 199)
  for (const text of texts) isPrepared(text)
  assert.ok(isPrepared('select $1'), 'a prepared text stays prepared')
  assert.equal(policy('select $1', 'generic-when-frequent'), 'generic')
})

test('other requests are answered as they are and not counted', () => {
  const policy = createStatementPreparationPolicy()
  for (let times = 0; times < 5; times++) assert.equal(policy('select 1', false), false)
  assert.deepEqual([policy('select 1', true), policy('select 1', 'generic')], [true, 'generic'])
  assert.equal(policy('select 1', 'when-frequent'), false)
})
