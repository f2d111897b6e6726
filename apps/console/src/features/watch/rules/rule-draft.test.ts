import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDraft, readBands, toDraft, toRuleInput } from './rule-draft.ts'

const complete = { ...newDraft, name: ' Dry fields ', threshold: '0.2' }

test('a draft is incomplete without a name, a threshold, an upper bound of a range, or with a text for a number', () => {
  assert.equal(toRuleInput(newDraft), null)
  for (const part of [
    { name: ' ' },
    { threshold: 'low' },
    { comparison: 'between' },
    { comparison: 'between', upper: '0.1' },
    { cooldown: '1.5' },
    { cooldown: '' },
    { hysteresis: 'some' },
    { hysteresis: '-1' },
    { bands: 'red:3' },
  ] as const)
    assert.equal(toRuleInput({ ...complete, ...part }), null, JSON.stringify(part))
})

test('a complete draft is sent with its numbers, and without a bound or a return that its comparison does not have', () => {
  const input = toRuleInput({ ...complete, upper: '0.9', hysteresis: '0.05', bands: 'red=3, nir = 4' })
  assert.deepEqual(
    [input?.name, input?.threshold, input?.threshold_upper, input?.hysteresis, input?.cooldown_minutes],
    ['Dry fields', 0.2, null, 0.05, 60],
  )
  assert.deepEqual(input?.band_mapping, { red: 3, nir: 4 })
  const range = toRuleInput({ ...complete, comparison: 'outside', upper: '0.9' })
  assert.equal(range?.threshold_upper, 0.9)
  assert.equal(toRuleInput({ ...complete, comparison: 'eq', hysteresis: '0.05' })?.hysteresis, null)
})

test('a rule that is edited and saved unchanged is the same rule', () => {
  const rule = {
    name: 'Flood',
    expression: 'b1 > 3',
    statistic: 'max',
    aoi: null,
    comparison: 'between',
    threshold: 1,
    threshold_upper: 2.5,
    hysteresis: null,
    asset_key: 'cog',
    band_mapping: { red: 3 },
    notification_channels: ['email'],
    cooldown_minutes: 0,
    collection_id: 'c',
    event_types: ['item.created', 'item.updated'],
  } as const
  assert.deepEqual(toRuleInput(toDraft({ ...rule, project_id: 'p' } as never)), rule)
})

test('band names are words with the number of their band', () => {
  assert.deepEqual(readBands(''), {})
  assert.equal(readBands('red=0'), null)
  assert.equal(readBands('3=red'), null)
})
