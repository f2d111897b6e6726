import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callOperation } from '../../../test/payment-fixtures.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { newId } from '../../platform/ids.ts'
import { computeFlagRolloutPosition, isFeatureEnabled } from '../feature-flags/feature-flags.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

const flag = 'zarr_conversion'
const reason = 'It is tried.'

test('a flag is on for a share of the organizations, and as it was switched for single ones', async () => {
  const { owner: operator } = await services.createOrganization()
  const { owner, organization } = await services.createOrganization()
  const set = (input: object) => callOperation(operator, 'admin.feature_flags.set', { flag, reason, ...input })
  const isOn = () => isFeatureEnabled(owner.db, organization, flag)
  assert.equal(await isOn(), true, 'the declared share is 100 %')
  await set({ percent: 0 })
  assert.equal(await isOn(), false)
  const place = computeFlagRolloutPosition(flag, organization)
  await set({ percent: place })
  assert.equal(await isOn(), false, 'places below the share have it')
  await set({ percent: place + 1 })
  assert.equal(await isOn(), true)
  await set({ organization_id: organization, enabled: false })
  assert.equal(await isOn(), false)
  await set({ organization_id: organization, enabled: true, percent: 0 })
  assert.equal(await isOn(), true)
  const { feature_flags } = await callOperation<{ feature_flags: object[] }>(operator, 'admin.feature_flags.list')
  const now = services.clock.now().toISOString()
  const [row] = feature_flags as { flag: string; percent: number; updated_at: string; organizations: object[] }[]
  assert.deepEqual([row?.flag, row?.percent, row?.updated_at], [flag, 0, now])
  assert.deepEqual(row?.organizations, [
    { organization_id: organization, organization_name: 'Test', enabled: true, updated_at: now },
  ])
  await set({ organization_id: organization, enabled: null })
  assert.equal(await isOn(), false, 'the share decides again')
})

test('an unknown organization, and a switch without an organization, are refused', async () => {
  const { owner: operator } = await services.createOrganization()
  const set = (input: object) => callOperation(operator, 'admin.feature_flags.set', { flag, reason, ...input })
  await assert.rejects(set({ organization_id: newId(), enabled: true }), { problem: 'not-found' })
  await assert.rejects(set({ enabled: true }), { problem: 'validation' })
})
