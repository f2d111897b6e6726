import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyseTexts } from '../../../texts/analyse.ts'
import { formatCredits } from '../../../ui/format.ts'
import { describeCredits } from './describe-credits.ts'

const { free, notCharged } = analyseTexts

test('a cancelled or failed job without captured credits is "not charged", not "free"', () => {
  for (const status of ['cancelled', 'failed'] as const)
    assert.equal(describeCredits({ status, credits_captured: 0, credits_held: 40 }), notCharged)
})

test('a cancelled job has the price of what was computed before', () => {
  assert.equal(describeCredits({ status: 'cancelled', credits_captured: 7, credits_held: 40 }), formatCredits(7))
})

test('an open job has the price that is held, a completed one what was charged', () => {
  assert.equal(describeCredits({ status: 'running', credits_captured: 0, credits_held: 40 }), formatCredits(40))
  assert.equal(describeCredits({ status: 'completed', credits_captured: 30, credits_held: 40 }), formatCredits(30))
  assert.equal(describeCredits({ status: 'completed', credits_captured: 0, credits_held: 0 }), free)
})
