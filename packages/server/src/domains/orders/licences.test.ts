import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../engine/problem.ts'
import { chooseLicences, commonLicence } from './licences.ts'

type Licensed = Parameters<typeof chooseLicences>[0][number]

/** A scene of a product with the given licences; without any, a free scene with its own licence. */
const scene = (licences: readonly string[], license = 'various'): Licensed =>
  ({
    price: licences.length === 0 ? null : { licences },
    host: { license: 'various', collections: [{ id: 'c', license }] },
    scene: { collection: 'c' },
  }) as unknown as Licensed

const aerial = scene(['standard', 'extended'])
const radar = scene(['single', 'extended'])
const gift = scene([], 'PDDL-1.0')

test('each capture gets a licence of its own product', () => {
  const table: readonly (readonly [readonly Licensed[], string | null, readonly string[]])[] = [
    [[aerial, radar, gift], null, ['standard', 'single', 'PDDL-1.0']],
    [[gift, aerial, radar], 'extended', ['PDDL-1.0', 'extended', 'extended']],
    [[aerial, gift], 'standard', ['standard', 'PDDL-1.0']],
    [[gift, scene([], 'other')], 'PDDL-1.0', ['PDDL-1.0', 'other']],
  ]
  for (const [captures, asked, licences] of table) assert.deepEqual(chooseLicences(captures, asked), licences)
})

test('a licence that a paid capture is not offered under is rejected with the possible ones', () => {
  const table: readonly (readonly [readonly Licensed[], string, RegExp])[] = [
    [[aerial, radar], 'standard', /one of: extended$/],
    [[aerial, gift], 'PDDL-1.0', /one of: standard, extended$/],
    [[gift], 'standard', /one of: PDDL-1\.0$/],
    [[aerial, scene(['single'])], 'single', /omitted/],
  ]
  for (const [captures, asked, message] of table) {
    assert.throws(
      () => chooseLicences(captures, asked),
      (error: Problem) => {
        const [fault] = error.extra['errors'] as { path: string; message: string }[]
        assert.equal(fault!.path, 'licenseType')
        assert.match(fault!.message, message)
        return true
      },
    )
  }
})

test('an order has a licence if all its captures share one', () => {
  assert.equal(commonLicence(['standard', 'standard']), 'standard')
  assert.equal(commonLicence(['standard', 'PDDL-1.0']), null)
})
