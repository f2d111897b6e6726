import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostPrice } from '../../platform/integrations/imagery-host.ts'
import { square } from '../../../test/geometries.ts'
import { noPriceRates, type NegotiatedRate, type PriceRates } from '../contracts/rates.ts'
import { intersectionAreaKm2, creditsToAud, calculateCharge, isAreaGeometry, priceScene } from './price.ts'

const price: HostPrice = {
  product: 'Photographs',
  rate_credits: 350,
  minimum_km2: 5,
  licences: ['standard', 'extended'],
}

test('a charge is area times rate, at least the minimum, rounded up to an integer number of credits', () => {
  const table: readonly (readonly [number, number, number])[] = [
    [0.0001, 5, 1750],
    [5, 5, 1750],
    [5.0001, 5.0001, 1751],
    [10, 10, 3500],
    [12.3456, 12.3456, 4321],
    [1000, 1000, 350_000],
  ]
  for (const [area, charged_km2, credits] of table)
    assert.deepEqual(calculateCharge(price, area), { charged_km2, credits }, String(area))
  assert.deepEqual(calculateCharge({ ...price, rate_credits: 12.5, minimum_km2: 0 }, 8), {
    charged_km2: 8,
    credits: 100,
  })
  assert.deepEqual(calculateCharge({ ...price, rate_credits: 0.1, minimum_km2: 0 }, 30), {
    charged_km2: 30,
    credits: 3,
  })
  // A millionth above an integer is rounded up as well: printed quantity times printed rate.
  assert.equal(calculateCharge({ ...price, rate_credits: 100.0001, minimum_km2: 0 }, 0.01).credits, 2)
  assert.deepEqual(calculateCharge(null, 7.5), { charged_km2: 7.5, credits: 0 })
})

test('a larger area never costs less, and charges are integers', () => {
  let last = 0
  for (let area = 0; area < 60; area += 0.0137) {
    const { credits } = calculateCharge(price, area)
    assert.ok(Number.isSafeInteger(credits) && credits >= last)
    last = credits
  }
})

test('the charged area is that of the part within the footprint', () => {
  // One degree by one degree at the equator is 12,308.8 km² (WGS 84).
  const whole = intersectionAreaKm2(square(10, 0, 1), square(9, -1, 5))
  assert.ok(Math.abs(whole - 12_308.8) < 1, String(whole))
  assert.ok(Math.abs(intersectionAreaKm2(square(10, 0, 1), square(10.5, 0, 1)) * 2 - whole) < 0.01)
  assert.equal(intersectionAreaKm2(square(10, 0, 1), square(20, 0, 1)), 0)
  assert.equal(intersectionAreaKm2(square(10, 0, 1), square(11, 0, 1)), 0)
  assert.ok(intersectionAreaKm2(square(10, 60, 1), square(9, 59, 5)) < whole * 0.52)
})

test('the price of a scene does not depend on how far an area reaches beyond it', () => {
  const footprint = square(11.3, 46.98, 0.04)
  const box = (west: number, south: number, east: number, north: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  })
  const whole = priceScene(price, footprint, null)
  assert.ok(whole.charged_km2! > price.minimum_km2)
  for (const area of [
    box(1.3, 36.98, 21.34, 57.02),
    box(-160, 10, 19, 80),
    box(-167, 46.97, 12, 47.03),
    box(11.29, -90, 11.35, 90),
  ])
    assert.deepEqual(priceScene(price, footprint, area), whole)
})

test('a scene is priced for its footprint, or for the requested area', () => {
  const footprint = square(10, 46, 0.1)
  const tag = priceScene(price, footprint, null)
  assert.deepEqual(tag, {
    credits: Math.ceil(tag.charged_km2! * 350 - 1e-6),
    aud: tag.credits / 100,
    unit: 'km2',
    rate_credits: 350,
    minimum_km2: 5,
    charged_km2: tag.charged_km2,
    product: 'Photographs',
    licences: ['standard', 'extended'],
  })
  const part = priceScene(price, footprint, square(10, 46, 0.05))
  assert.ok(Math.abs(part.charged_km2! * 4 - tag.charged_km2!) < 0.2)
  assert.deepEqual(priceScene(price, footprint, square(50, 0, 1)).charged_km2, 5)
  assert.deepEqual(priceScene(null, footprint, null), { credits: 0, aud: 0 })
})

test('the rate of a rate card replaces that of the host, and keeps its minimum unless it states one', () => {
  const footprint = square(10, 46, 0.1)
  const card = { rate_credits: 400, minimum_km2: null, valid_from: '2026-07-01' }
  const listedAt = (rate: typeof card | (Omit<typeof card, 'minimum_km2'> & { minimum_km2: number }), area: unknown) =>
    priceScene(price, footprint, area, { ...noPriceRates, listed: new Map([['Photographs', rate]]) })
  const whole = listedAt(card, null)
  assert.deepEqual([whole.rate_credits, whole.minimum_km2], [400, 5])
  assert.equal(whole.credits, Math.ceil(whole.charged_km2! * 400 - 1e-6))
  assert.equal(listedAt({ ...card, minimum_km2: 7 }, square(50, 0, 1)).charged_km2, 7)
  const other = { ...noPriceRates, listed: new Map([['Radar', card]]) }
  assert.deepEqual(priceScene(price, footprint, null, other), priceScene(price, footprint, null))
  assert.deepEqual(priceScene(null, footprint, null, other), { credits: 0, aud: 0 })
})

test('a commitment rate overrides the list price for its product and unit only', () => {
  const footprint = square(10, 46, 0.1)
  const negotiated = (rates: readonly (readonly [string, NegotiatedRate])[]): PriceRates => ({
    ...noPriceRates,
    negotiated: new Map(rates),
  })
  const fixed = { commitment_id: 'contract', unit: 'km2', rate_credits: 212.55 }
  const tag = priceScene(price, footprint, null, negotiated([['Photographs', fixed]]))
  const { rate_credits, list_rate_credits, commitment_id, charged_km2 } = tag
  assert.deepEqual([rate_credits, list_rate_credits, commitment_id], [212.55, 350, 'contract'])
  assert.equal(tag.credits, Math.ceil(charged_km2! * 212.55 - 1e-6))
  const listed = priceScene(price, footprint, null)
  for (const rates of [[['Radar', fixed]], [['Photographs', { ...fixed, unit: 'scene' }]]] as const) {
    assert.deepEqual(priceScene(price, footprint, null, negotiated(rates)), listed)
  }
  assert.deepEqual(priceScene(null, footprint, null, negotiated([['', fixed]])), { credits: 0, aud: 0 })
})

test('100 credits are 1 AUD; only Polygon and MultiPolygon are area geometries', () => {
  assert.equal(creditsToAud(12_345), 123.45)
  assert.equal(creditsToAud(0), 0)
  assert.ok(isAreaGeometry({ type: 'MultiPolygon' }))
  for (const other of [null, 5, {}, { type: 'Point' }]) assert.ok(!isAreaGeometry(other))
})
