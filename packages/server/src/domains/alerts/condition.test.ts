import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertComparisons, type AlertComparisonName } from '@swath/contract/schemas/alert-rule.ts'
import {
  evaluateAlertValue,
  initialTriggerState,
  isAlertComparisonSatisfied,
  type AlertCondition,
  type AlertTriggerState,
} from './condition.ts'

const condition = (comparison: AlertComparisonName, more: Partial<AlertCondition> = {}): AlertCondition => ({
  comparison,
  threshold: 10,
  threshold_upper: comparison === 'between' || comparison === 'outside' ? 20 : null,
  hysteresis: null,
  cooldown_minutes: 0,
  ...more,
})

test('each comparison is satisfied by exactly these values', () => {
  const values = [9, 10, 15, 20, 21]
  const satisfying: Readonly<Record<AlertComparisonName, number[]>> = {
    gt: [15, 20, 21],
    gte: [10, 15, 20, 21],
    lt: [9],
    lte: [9, 10],
    eq: [10],
    neq: [9, 15, 20, 21],
    between: [10, 15, 20],
    outside: [9, 21],
  }
  for (const comparison of alertComparisons)
    assert.deepEqual(
      values.filter((value) => isAlertComparisonSatisfied(condition(comparison), value)),
      satisfying[comparison],
      comparison,
    )
})

/** The outcomes of values that arrive a minute apart. */
function outcomesOf(rule: AlertCondition, values: readonly number[]): string[] {
  let state: AlertTriggerState = initialTriggerState
  return values.map((value, index) => {
    const decision = evaluateAlertValue(rule, state, value, new Date(index * 60_000))
    state = decision.state
    return decision.outcome
  })
}

const [fired, held, below] = ['triggered', 'not_rearmed', 'not_satisfied']

test('without hysteresis every value that satisfies the comparison triggers', () => {
  assert.deepEqual(outcomesOf(condition('gt'), [11, 12, 9, 11]), [fired, fired, below, fired])
})

test('with hysteresis a rule triggers again after the value has returned by that much', () => {
  const rows: readonly [AlertCondition, number[], (string | undefined)[]][] = [
    [condition('gt', { hysteresis: 0 }), [11, 12, 10, 11], [fired, held, below, fired]],
    [condition('gt', { hysteresis: 2 }), [11, 9, 11, 8, 11], [fired, below, held, below, fired]],
    [condition('gte', { hysteresis: 2 }), [10, 8, 10, 7.9, 10], [fired, below, held, below, fired]],
    [condition('lt', { hysteresis: 2 }), [9, 11, 9, 12, 9], [fired, below, held, below, fired]],
    [condition('lte', { hysteresis: 2 }), [10, 12, 10, 12.1, 10], [fired, below, held, below, fired]],
    [condition('between', { hysteresis: 2 }), [15, 21, 15, 23, 15], [fired, below, held, below, fired]],
    [
      condition('outside', { hysteresis: 2 }),
      [25, 19, 25, 18, 25, 15, 5],
      [fired, below, held, below, fired, below, fired],
    ],
  ]
  for (const [rule, values, outcomes] of rows) assert.deepEqual(outcomesOf(rule, values), outcomes, rule.comparison)
})

test('a rule does not trigger during its cooldown, which a held value does not extend', () => {
  const rule = condition('gt', { cooldown_minutes: 2 })
  assert.deepEqual(outcomesOf(rule, [11, 11, 11, 11]), [fired, 'cooldown', fired, 'cooldown'])
})
