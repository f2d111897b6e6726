import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callOperation } from '../../../test/call-operation.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { newId } from '../../platform/ids.ts'
import { placeCreditHold, settleHold } from '../ledger/holds.ts'
import { grantCredits } from '../ledger/ledger.ts'
import { forecastSpending } from './forecast.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

const at = (time: string): Date => new Date(time)

test('the rest of the month costs per day what the last thirty days have cost', () => {
  const so_far = {
    now: at('2030-04-21T00:00:00Z'),
    ends_at: at('2030-05-01T00:00:00Z'),
    began_at: at('2029-01-01T00:00:00Z'),
    spent_credits: 1000,
    recent_credits: 1500,
  }
  assert.deepEqual(forecastSpending(so_far), { recent_days: 30, credits_per_day: 50, forecast_credits: 1500 })
  const young = { ...so_far, began_at: at('2030-04-11T00:00:00Z') }
  assert.deepEqual(forecastSpending(young), { recent_days: 10, credits_per_day: 150, forecast_credits: 2500 })
  const fresh = { ...so_far, began_at: so_far.now, spent_credits: 7, recent_credits: 7 }
  assert.deepEqual(forecastSpending(fresh), { recent_days: 1, credits_per_day: 7, forecast_credits: 77 })
})

test('a forecast has what the journal has charged in the month, and at its end for the whole month', async () => {
  const { owner } = await services.createOrganization()
  services.clock.advance(at('2030-06-10T00:00:00Z').getTime() - services.clock.now().getTime())
  const reference = { type: 'order', id: newId() }
  await owner.transaction(async (tx) => {
    await grantCredits(tx, owner, { kind: 'purchase', reference, amount_credits: 5000 })
    const hold_id = await placeCreditHold(tx, owner, { reference, amount_credits: 600 })
    await settleHold(tx, owner, { hold_id, amount_credits: 600 })
  })
  services.clock.advance(at('2030-06-21T00:00:00Z').getTime() - services.clock.now().getTime())
  assert.deepEqual(await callOperation('billing.forecast', owner, { organization_id: owner.organization }), {
    organization_id: owner.organization,
    period: '2030-06',
    ends_at: '2030-07-01T00:00:00.000Z',
    measured_at: '2030-06-21T00:00:00.000Z',
    spent_credits: 600,
    recent_days: 30,
    credits_per_day: 20,
    forecast_credits: 800,
    forecast_aud: 8,
  })
  await assert.rejects(callOperation('billing.forecast', owner, { organization_id: newId() }), { problem: 'not-found' })
})
