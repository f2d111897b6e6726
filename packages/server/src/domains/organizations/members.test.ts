import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { startIdentityTestApp, rejectedWith, type IdentityTestApp } from '../../../test/identity-test-app.ts'

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp()
})
after(() => app?.close())

const list = (token: string, input = {}) => app.callOperation('organizations.members.list', token, input)
const setLimit = (token: string, input: object) =>
  app.callOperation('organizations.members.set_spend_limit', token, input)
const getSpend = (token: string, input = {}) => app.callOperation('organizations.members.spend.get', token, input)

/** Creates an organization with one member of every role. */
async function createMembers() {
  const owner = await app.createFounder()
  const [admin, billing, member] = [
    await app.addMember(owner.token, 'admin'),
    await app.addMember(owner.token, 'billing'),
    await app.addMember(owner.token, 'member'),
  ]
  return { owner, admin, billing, member }
}

const createApiKey = async (token: string): Promise<{ authorization: string }> => {
  const { key } = await app.callOperation('api_keys.create', token, {
    name: 'k',
    permissions: ['can_read', 'can_write'],
  })
  return { authorization: `Bearer ${String(key)}` }
}

test('organizations.members.list shows all members, the newest first, with role and limits to owners and admins only', async () => {
  const { owner, admin, billing, member } = await createMembers()
  for (const token of [owner.token, admin.token]) {
    const { members, limit, offset, total } = await list(token, { organizationId: owner.organization.toUpperCase() })
    const rows = members as Record<string, unknown>[]
    assert.deepEqual(
      rows.map(({ user_id, role }) => [user_id, role]),
      [
        [member.id, 'member'],
        [billing.id, 'billing'],
        [admin.id, 'admin'],
        [owner.id, 'owner'],
      ],
    )
    assert.deepEqual([limit, offset, total], [4, 0, 4])
    assert.deepEqual(Object.keys(rows[0]!).sort(), [
      'created_at',
      'email',
      'name',
      'per_order_limit_credits',
      'role',
      'spend_limit_credits',
      'user_id',
    ])
  }
  for (const token of [billing.token, member.token]) await assert.rejects(list(token), rejectedWith('forbidden'))
  const other = await app.createFounder()
  for (const organizationId of [other.organization, newId()]) {
    await assert.rejects(list(owner.token, { organizationId }), rejectedWith('not-found'))
  }
  assert.equal(
    ((await app.callOperationWith('organizations.members.list', await createApiKey(admin.token))) as { total: number })
      .total,
    4,
  )
})

test('set_spend_limit sets numbers including 0, and clears limits that are null or omitted', async () => {
  const { owner, admin, member } = await createMembers()
  const getLimits = async (id: string) => {
    const { members } = (await list(owner.token)) as { members: Record<string, unknown>[] }
    const { per_order_limit_credits, spend_limit_credits } = members.find(({ user_id }) => user_id === id)!
    return [per_order_limit_credits, spend_limit_credits]
  }
  const rows: readonly (readonly [object, readonly [number | null, number | null]])[] = [
    [{ perOrderLimitCredits: 500, spendLimitCredits: 2000 }, [500, 2000]],
    [{ spendLimitCredits: 0 }, [null, 0]],
    [{ perOrderLimitCredits: 0, spendLimitCredits: null }, [0, null]],
    [{ perOrderLimitCredits: 7 }, [7, null]],
    [{}, [null, null]],
  ]
  for (const [input, [perOrder, limit]] of rows) {
    const response = await setLimit(admin.token, { userId: member.id.toUpperCase(), ...input })
    assert.deepEqual(response, { user_id: member.id, per_order_limit_credits: perOrder, spend_limit_credits: limit })
    assert.deepEqual(await getLimits(member.id), [perOrder, limit])
  }
  const ofOwner = { userId: owner.id, spendLimitCredits: 10, organizationId: owner.organization }
  await assert.rejects(setLimit(admin.token, ofOwner), rejectedWith('forbidden'), 'an owner has a higher role')
  await setLimit(owner.token, ofOwner)
  assert.deepEqual(await getLimits(owner.id), [null, 10], 'owners can be limited, too')
  assert.deepEqual(await getLimits(admin.id), [null, null], 'other members are unchanged')
  for (const amount of [-1, 0.5, '5', 1e300, 2 ** 53]) {
    const rejected = setLimit(owner.token, { userId: member.id, spendLimitCredits: amount })
    await assert.rejects(rejected, rejectedWith('validation'), String(amount))
  }
  await assert.rejects(setLimit(owner.token, { spendLimitCredits: 5 }), rejectedWith('validation'))
})

test('set_spend_limit is allowed for owners and admins in person, for members of their own organization', async () => {
  const { owner, admin, billing, member } = await createMembers()
  const other = await app.createFounder()
  const input = { userId: member.id, spendLimitCredits: 5 }
  for (const { token } of [billing, member]) await assert.rejects(setLimit(token, input), rejectedWith('forbidden'))
  for (const userId of [other.id, newId()]) {
    await assert.rejects(setLimit(owner.token, { ...input, userId }), rejectedWith('not-found'), userId)
  }
  const elsewhere = { userId: other.id, organizationId: other.organization, spendLimitCredits: 5 }
  await assert.rejects(setLimit(owner.token, elsewhere), rejectedWith('not-found'))
  for (const person of [owner, admin]) {
    const key = await createApiKey(person.token)
    await assert.rejects(
      app.callOperationWith('organizations.members.set_spend_limit', key, input),
      rejectedWith('user-required'),
    )
  }
  const { members } = (await list(other.token)) as { members: Record<string, unknown>[] }
  assert.equal(members[0]!['spend_limit_credits'], null)
})

test('members read their own spend window; owners and admins read those of others', async () => {
  const { owner, admin, billing, member } = await createMembers()
  await setLimit(owner.token, { userId: member.id, spendLimitCredits: 300 })
  const empty = { window_days: 30, window_used_credits: 0, frees: [] }
  const free = { per_order_limit_credits: null, spend_limit_credits: null, remaining_credits: null }
  assert.deepEqual(await getSpend(billing.token), { user_id: billing.id, ...free, ...empty })
  const limited = { user_id: member.id, ...free, spend_limit_credits: 300, remaining_credits: 300, ...empty }
  for (const [person, input] of [
    [member, {}],
    [member, { userId: member.id.toUpperCase() }],
    [owner, { userId: member.id, organizationId: owner.organization }],
    [admin, { userId: member.id }],
  ] as const) {
    assert.deepEqual(await getSpend(person.token, input), limited)
  }
  const byKey = await app.callOperationWith('organizations.members.spend.get', await createApiKey(admin.token))
  assert.equal(byKey['user_id'], admin.id, 'what a key spends counts for its issuer')
  const other = await app.createFounder()
  await assert.rejects(getSpend(member.token, { userId: owner.id }), rejectedWith('forbidden'))
  await assert.rejects(getSpend(billing.token, { userId: newId() }), rejectedWith('forbidden'))
  await assert.rejects(getSpend(owner.token, { userId: other.id }), rejectedWith('not-found'))
  await assert.rejects(getSpend(owner.token, { organizationId: other.organization }), rejectedWith('not-found'))
})
