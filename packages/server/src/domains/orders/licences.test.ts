import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../engine/problem.ts'
import { assignCaptureLicences, findCommonLicence } from './licences.ts'

type LicensableCapture = Parameters<typeof assignCaptureLicences>[0][number]

/** A scene of a product with these licences; without any, a free scene with its own licence. */
const scene = (licences: readonly string[], license = 'various'): LicensableCapture =>
  ({
    price: licences.length === 0 ? null : { licences },
    host: { license: 'various', collections: [{ id: 'c', license }] },
    scene: { collection: 'c' },
  }) as unknown as LicensableCapture

const aerial = scene(['standard', 'extended'])
const radar = scene(['single', 'extended'])
const freeScene = scene([], 'PDDL-1.0')

test('each capture gets a licence of its own product', () => {
  const table: readonly (readonly [readonly LicensableCapture[], string | null, readonly string[]])[] = [
    [[aerial, radar, freeScene], null, ['standard', 'single', 'PDDL-1.0']],
    [[freeScene, aerial, radar], 'extended', ['PDDL-1.0', 'extended', 'extended']],
    [[aerial, freeScene], 'standard', ['standard', 'PDDL-1.0']],
    [[freeScene, scene([], 'other')], 'PDDL-1.0', ['PDDL-1.0', 'other']],
  ]
  for (const [captures, requested, licences] of table)
    assert.deepEqual(assignCaptureLicences(captures, requested), licences)
})

test('a licence that a paid capture is not offered under is rejected with the possible ones', () => {
  const table: readonly (readonly [readonly LicensableCapture[], string, RegExp])[] = [
    [[aerial, radar], 'standard', /one of: extended$/],
    [[aerial, freeScene], 'PDDL-1.0', /one of: standard, extended$/],
    [[freeScene], 'standard', /one of: PDDL-1\.0$/],
    [[aerial, scene(['single'])], 'single', /omitted/],
  ]
  for (const [captures, requested, message] of table) {
    assert.throws(
      () => assignCaptureLicences(captures, requested),
      (error: Problem) => {
        const [fieldError] = error.extra['errors'] as { path: string; message: string }[]
        assert.equal(fieldError!.path, 'licenseType')
        assert.match(fieldError!.message, message)
        return true
      },
    )
  }
})

test('an order has a licence if all its captures share one', () => {
  assert.equal(findCommonLicence(['standard', 'standard']), 'standard')
  assert.equal(findCommonLicence(['standard', 'PDDL-1.0']), null)
})
