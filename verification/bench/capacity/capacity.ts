import type { Figure } from '../figure.ts'
import { constants, readConstants } from './constants.ts'
import { computeNeeds, findFirstLimit, formatAmount, type PlannedLoad } from './model.ts'

const nothing: PlannedLoad = {
  items: 0,
  searches_per_second: 0,
  tiles_per_second: 0,
  cdn_share: 0,
  webhooks_per_hour: 0,
  peak: 5,
}

/** The loads that an operator asks about first. */
const loads: Readonly<Record<string, PlannedLoad>> = {
  '1 billion items, 5,000 searches a second': { ...nothing, items: 1e9, searches_per_second: 5000 },
  '10,000 tiles a second, without a CDN': { ...nothing, tiles_per_second: 10_000 },
  '10,000 tiles a second, 90 % from a CDN': { ...nothing, tiles_per_second: 10_000, cdn_share: 0.9 },
  '1 million webhooks an hour': { ...nothing, webhooks_per_hour: 1e6 },
}

/**
 * Prints what each load needs, in machines of the constants, and what breaks first on one of them. It measures nothing: the
 * figure is that the model was computed for every load.
 */
export async function benchCapacity(): Promise<readonly Figure[]> {
  const given = readConstants()
  for (const [name, load] of Object.entries(loads)) {
    const needs = computeNeeds(load, given).filter(({ amount }) => amount > 0)
    console.log(`\n${name}`)
    for (const { resource, amount, unit, machines } of needs)
      console.log(`  ${resource}: ${formatAmount(amount)} ${unit}, ${machines.toFixed(2)} of one machine's`)
    const first = findFirstLimit(needs)
    console.log(
      `  breaks first: ${first.resource}${first.machines > 1 ? `, beyond 1/${first.machines.toFixed(1)} of this load on one machine` : ', not on one machine'}`,
    )
  }
  console.log('\nfrom these constants')
  for (const [name, { value, unit, source }] of Object.entries(constants))
    console.log(`  ${name} ${value} ${unit}: ${source}`)
  return [{ name: 'loads computed', value: Object.keys(loads).length, must: Object.keys(loads).length }]
}
